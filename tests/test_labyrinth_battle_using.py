"""Help for a check, skills, items: on whom, how far, how often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.events import Event
from tabletop_kit.core.playing import Played
from tabletop_kit.labyrinth_battle import (
    armory,
    battlefields,
    battles,
    checks,
    endings,
    falling,
    rounds,
    sheets,
    states,
    using,
)
from tabletop_kit.labyrinth_battle.measures import ActionType, BadStatus, Side
from tabletop_kit.labyrinth_battle.states import State
from tabletop_kit.labyrinth_battle.support import Investigate
from tabletop_kit.labyrinth_battle.using import Cooperate, UseItem, UseSkill

GUTTER = battles.samples["gutter"]
ILVANE, PIM, ODILE, SERA, BRANNOC, RAT, OGRE, KNIGHT, IMP, CHOIR = range(10)
COURT, FOE = Side
WARDS = ((ILVANE, "raised shield"), (BRANNOC, "step between"))
BEGUN = replace(states.opening(GUTTER), phase="turns", first=COURT, suppressed=WARDS)
BESIDE = BEGUN.put(PIM, 3).with_hp(ODILE, 0).falls(ODILE)


def acts(state: State, who: int, *answers: Any) -> Played:
    return tk.play(rounds.act, state, who, answers=answers)


def codes(state: State, who: int, answer: Any) -> list[str]:
    return [one.code for one in rounds.Actions(state, who).why_not(answer)]


def clauses(state: State, who: int, answer: Any) -> list[str]:
    return [one.clause for one in rounds.Actions(state, who).why_not(answer)]


def resheeted(state: State, who: int, **fields: Any) -> State:
    people = list(state.setup.combatants)
    people[who] = replace(people[who], **fields)
    return replace(state, setup=replace(state.setup, combatants=tuple(people)))


def taught(state: State, who: int, *skills: sheets.Skill) -> State:
    return resheeted(state, who, skills=skills)


def support_skill(does: Any, range: int = 0, name: str = "trick") -> sheets.Skill:
    return sheets.Skill(name, ActionType.SUPPORT, does, range)


def names(state: State, who: int) -> list[str]:
    return [item.name for item in state.items(who)]


def named(events: Sequence[Event], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


# cooperation


def test_help_waits_for_its_check() -> None:
    helped = acts(BEGUN, ILVANE, Cooperate("Odile", "investigate")).result
    assert helped.cooperations == (
        battlefields.Cooperation(ILVANE, ODILE, "investigate"),
    )
    assert checks.helped(helped, ODILE, "hit")[0] == 0
    assert checks.helped(helped, PIM, "investigate")[0] == 0
    found = acts(helped, ODILE, Investigate("sluice", "search"), (3, 4))
    assert found.result.searched == ("sluice",) and found.result.cooperations == ()
    twice = acts(helped, SERA, Cooperate("Odile", "investigate")).result
    assert checks.helped(twice, ODILE, "investigate")[0] == 2 + 1
    assert codes(helped, ILVANE, Cooperate("Odile", "investigate")) == ["helps_already"]
    assert codes(helped, ILVANE, Cooperate("Odile", "hit")) == []
    assert codes(helped, ILVANE, Cooperate("Pim", "investigate")) == []


def test_help_is_refused() -> None:
    assert codes(BEGUN, PIM, Cooperate("Needle Rat", "hit")) == ["helps_enemy"]
    assert codes(BEGUN.dies(ODILE), PIM, Cooperate("Odile", "hit")) == ["helps_dead"]
    assert codes(BEGUN, PIM, Cooperate("Pim", "hit")) == ["no_such_target"]
    assert codes(BEGUN, PIM, Cooperate("Odile", "ambush")) == ["no_such_check"]
    sour = resheeted(BEGUN, PIM, hostility=(("Odile", 1), ("Ilvane", 2)))
    assert codes(sour, PIM, Cooperate("Odile", "hit")) == ["disliked"]
    assert codes(sour, PIM, Cooperate("Ilvane", "hit")) == []
    worse = resheeted(BEGUN, PIM, hostility=(("Ilvane", 3),))
    reason = rounds.Actions(worse, PIM).why_not(Cooperate("Ilvane", "hit"))[0]
    assert reason.sentence == "Hostility 3 is more than affection 2."


def test_the_note_says_how_much_help_adds() -> None:
    def note(state: State, who: int) -> str:
        assert using.COOPERATE.note is not None
        return using.COOPERATE.note(rounds.Actions(state, who))

    assert note(BEGUN, ILVANE) == "Pim +3, Odile +2, Brannoc +1"
    assert note(BEGUN.dies(ODILE), ILVANE) == "Pim +3, Brannoc +1"
    assert note(BEGUN.put(PIM, 0), ILVANE) == "Odile +2, Brannoc +1"
    assert note(BEGUN, OGRE) == "adds nothing"
    torn = resheeted(BEGUN, PIM, hostility=(("Ilvane", 3), ("세라", 4)))
    assert note(torn, PIM) == "세라 +4"
    assert using.COOPERATE.folded
    for_nothing = acts(BEGUN, PIM, Cooperate("Odile", "hit"))  # still allowed
    assert named(for_nothing.events, using.Helping)[0].bonus == 0


# skills


def test_a_skill_reaches_its_range() -> None:
    lullaby = UseSkill("lullaby", "Gutter Ogre")
    assert codes(BEGUN, SERA, lullaby) == []
    assert codes(BEGUN.put(SERA, 1), SERA, lullaby) == ["too_far"]
    far = rounds.Actions(BEGUN.put(SERA, 1), SERA).why_not(lullaby)[0]
    assert far.sentence == "3 steps away; range 2."
    assert acts(BEGUN, SERA, lullaby).result.is_asleep(OGRE)


def test_hostile_skills_aim_at_enemies_who_live() -> None:
    assert codes(BEGUN, SERA, UseSkill("lullaby", "Pim")) == ["no_foe"]
    assert codes(BEGUN, SERA, UseSkill("lullaby", "세라")) == ["no_foe"]
    dead = BEGUN.dies(RAT)
    assert codes(dead, SERA, UseSkill("lullaby", "Needle Rat")) == ["dead_foe"]
    down = BEGUN.with_hp(RAT, 0).falls(RAT)
    assert codes(down, SERA, UseSkill("lullaby", "Needle Rat")) == []


def test_helpful_skills_aim_at_friends() -> None:
    helping = UseSkill("second helping", "Odile")
    assert codes(BESIDE, PIM, helping) == []
    assert codes(BESIDE.dies(ODILE), PIM, helping) == ["dead"]
    assert codes(BESIDE.put(RAT, 3), PIM, UseSkill("second helping", "Needle Rat")) == [
        "no_friend"
    ]
    assert codes(BEGUN, PIM, UseSkill("second helping", "Pim")) == []
    raiser = taught(BESIDE.dies(ODILE), PIM, support_skill(sheets.Revive(3)))
    risen = acts(raiser, PIM, UseSkill("trick", "Odile")).result
    assert risen.hp[ODILE] == 3 and risen.is_up(ODILE)
    assert codes(raiser, PIM, UseSkill("trick", "Brannoc")) == ["not_dead"]


def test_what_skills_do() -> None:
    hurt = taught(BEGUN, SERA, support_skill(sheets.Hurt("1D6"), 2))
    assert acts(hurt, SERA, UseSkill("trick", "Needle Rat"), (3,)).result.hp[RAT] == 2
    drop = taught(BEGUN, SERA, support_skill(sheets.Drop(), 2))
    fallen = acts(
        drop, SERA, UseSkill("trick", "Needle Rat"), (1, 1, 1), falling.JustFall()
    )
    assert fallen.result.hp[RAT] == 2
    away = taught(BEGUN, CHOIR, support_skill(sheets.Desert("1D6"), 5))
    gone = acts(away, CHOIR, UseSkill("trick", "Ilvane"), (4,)).result
    assert gone.followers[ILVANE] == 18 and gone.people == GUTTER.people + 4
    assert dict(gone.deserted) == {ILVANE: 4}
    poison = acts(BEGUN, KNIGHT, UseSkill("needle prick", "Odile")).result
    assert poison.has(ODILE, BadStatus.POISON)


def test_what_lasts_is_put_up_once() -> None:
    cry = UseSkill("war cry", "Ilvane")
    up = acts(BEGUN, ILVANE, cry).result
    assert up.lasting == (battlefields.Lasting(COURT, ILVANE, "war cry"),)
    assert up.power_bonus(COURT) == 1 and up.power_bonus(FOE) == 0
    assert codes(replace(up, acted=()), ILVANE, cry) == ["lasts"]
    assert codes(BEGUN, ILVANE, UseSkill("war cry", "Odile")) == ["no_such_target"]


def test_lore_opens_a_hidden_monster() -> None:
    hidden = replace(GUTTER, unidentified=("Hollow Choir",))
    state = replace(states.opening(hidden), phase="turns", first=COURT)
    lore = UseSkill("monster lore", "Hollow Choir")
    assert codes(state, SERA, UseSkill("monster lore", "Needle Rat")) == ["known"]
    opened = acts(state, SERA, lore, (2, 2))  # 4 + 4 against 5 + 3
    assert opened.result.disclosed == ("Hollow Choir",)
    assert acts(state, SERA, lore, (1, 2)).result.disclosed == ()
    check = opened.events[1]
    assert isinstance(check, checks.Checked) and check.hidden_by == CHOIR
    assert codes(opened.result, SERA, lore) == ["known"]


def test_only_support_and_auxiliary_skills_are_offered() -> None:
    learned = [
        sheets.Skill(kind.value, kind, sheets.Heal(1))
        for kind in ActionType
        if kind != ActionType.CONSTANT
    ]
    ward = sheets.Skill("ward", ActionType.SUPPORT, sheets.Reduce(1))
    state = taught(BEGUN, PIM, *learned, ward)
    menu = rounds.Actions(state, PIM)
    offered = {answer.skill for answer in menu.values(UseSkill)}
    assert offered == {"auxiliary", "support"}


def test_an_auxiliary_skill_costs_no_turn_and_works_once_a_round() -> None:
    worn = BESIDE.with_hp(PIM, 5)
    bandage = UseSkill("quick bandage", "Pim")
    once = tk.play(using.use_skill, worn, PIM, bandage).result
    assert PIM not in once.acted and once.hp[PIM] == 6
    assert codes(once, PIM, bandage) == ["used"]
    assert codes(once, PIM, UseSkill("second helping", "Odile")) == []
    refreshed = tk.play(rounds.end_round, once).result
    assert codes(refreshed, PIM, bandage) == []
    fat = tk.play(using.use_skill, worn.gains(PIM, BadStatus.OBESITY), PIM, bandage)
    assert fat.result.hp[PIM] == 5 + 1 - 1


def test_a_forgotten_skill_is_refused() -> None:
    state = replace(BESIDE, suppressed=((PIM, "second helping"),))
    assert clauses(state, PIM, UseSkill("second helping", "Odile")) == ["LB-CRIT-01"]


def test_a_battle_ends_with_the_skill_that_fells_the_last() -> None:
    last = taught(BEGUN, SERA, support_skill(sheets.Hurt("1D6"), 2)).with_hp(RAT, 1)
    for foe in (OGRE, KNIGHT, IMP, CHOIR):
        last = last.dies(foe)
    felled = acts(last, SERA, UseSkill("trick", "Needle Rat"), (3,)).result
    assert endings.is_decided(felled) and SERA in felled.acted


def test_hidden_skills_and_items_show_nothing() -> None:
    for told in (
        using.SkillUsed(IMP, "giggles", PIM),
        using.PutUp(IMP, "war cry", 1),
        using.ItemUsed(IMP, "lunch", IMP),
    ):
        seen = told.seen_by(lambda who: who != IMP).words(GUTTER.name_of)
        assert "?" in seen
        assert "?" not in told.words(GUTTER.name_of)


# items


def test_an_item_is_used_up() -> None:
    eaten = acts(BESIDE, PIM, UseItem("packed lunch", "Odile"))
    assert eaten.result.hp[ODILE] == 4 and eaten.result.is_up(ODILE)
    assert names(eaten.result, PIM) == ["copper ladle", "ginger drop", "brass kettle"]
    drop = tk.play(using.use_item, BESIDE, PIM, UseItem("ginger drop", "Odile"))
    assert PIM not in drop.result.acted and drop.result.hp[ODILE] == 2
    assert codes(BEGUN, PIM, UseItem("packed lunch", "Odile")) == ["too_far"]
    assert codes(BEGUN, PIM, UseItem("brass kettle", "Pim")) == ["no_such_item"]
    lunches = sheets.Item("packed lunch", does=sheets.Heal(4))
    two = resheeted(BEGUN, PIM, items=(lunches, lunches))
    state = replace(states.opening(two.setup), phase="turns", first=COURT)
    left = acts(state, PIM, UseItem("packed lunch", "Pim")).result
    assert names(left, PIM) == ["packed lunch"]


def test_potion_and_grail() -> None:
    body = BEGUN.put(ILVANE, 3).dies(ODILE)
    potion = UseItem("resurrection potion", "Odile")
    risen = acts(body, ILVANE, potion).result
    assert risen.hp[ODILE] == 5 and risen.is_up(ODILE) and ODILE in risen.acted
    assert codes(BEGUN.put(ILVANE, 3), ILVANE, potion) == ["not_dead"]
    ghost = replace(body, ghosts=(ODILE,))
    assert clauses(ghost, ILVANE, potion) == ["LB-GHOST-03"]
    things = (*GUTTER.combatants[ILVANE].items[:2], armory.goods["grail"])
    holy = resheeted(ghost, ILVANE, items=things)
    assert codes(holy, ILVANE, UseItem("grail", "Odile")) == []
