"""How a battle ends, what is found, who goes home: the edges, with numbers."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.asking import Taken
from tabletop_kit.labyrinth_battle import (
    bad_statuses,
    between_battles,
    endings,
    followers,
    ghosts,
    rounds,
    treasure,
    wounds,
)
from tabletop_kit.labyrinth_battle.battlefields import Doom
from tabletop_kit.labyrinth_battle.encounters import Encounter, Variant
from tabletop_kit.labyrinth_battle.measures import (
    BadStatus,
    CharacterKind,
    Side,
    WeaponKind,
)
from tabletop_kit.labyrinth_battle.sheets import Combatant, Item
from tabletop_kit.labyrinth_battle.states import State, opening

COURT, FOE = Side
PC, IMPORTANT, NPC, MONSTER = CharacterKind
POISON, SLEEP = BadStatus.POISON, BadStatus.SLEEP
CLUB = Item("club", WeaponKind.MELEE, power=2)
MIRA, BO, SNAG, SNIG, GRUM = range(5)
REST = ghosts.Rest()


def somebody(name: str, side: Side, kind: CharacterKind, **values: Any) -> Combatant:
    return Combatant(name, side, kind, **{"hp_max": 10, **values})


PEOPLE = (
    somebody("Mira", COURT, PC, items=(CLUB,), followers=10),
    somebody("Bo", COURT, PC, followers=3),
    somebody("Snag", FOE, MONSTER, level=2, monster_kind="goblin"),
    somebody("Snig", FOE, MONSTER, level=2, monster_kind="goblin"),
    somebody("Grum", FOE, MONSTER, level=3, monster_kind="ogre"),
)
CAVE = Encounter(PEOPLE, (2, 3, 4, 4, 6), people=40, military_level=2)


def fighting(setup: Encounter = CAVE) -> State:
    return replace(opening(setup), phase="turns", first=COURT)


def down(state: State, *names: int) -> State:
    """These at 0 HP: monsters dead, the others incapacitated."""
    for who in names:
        state = state.with_hp(who, 0)
        monster = state.kind(who) == MONSTER
        state = state.dies(who) if monster else state.falls(who)
    return state


def closed(state: State, *answers: Any) -> State:
    ended: State = tk.play(endings.close, state, answers=list(answers)).result
    return ended


# ---- the end


def test_LB_EDGE_32_a_lone_sleeper_is_not_beaten() -> None:
    state = fighting().dies(BO).gains(MIRA, SLEEP).done(MIRA)
    assert not endings.is_decided(state)
    assert rounds.side_to_act(state) == FOE


def test_LB_EDGE_33_no_poison_after_the_last_monster() -> None:
    state = down(fighting(), SNAG, SNIG, GRUM).with_hp(BO, 1).gains(BO, POISON)
    played = tk.play(rounds.advance, state)
    assert played.result.outcome == "court_won" and played.result.hp[BO] == 1
    assert (BO, POISON) in played.result.statuses


def test_LB_EDGE_34_poison_fells_the_last_of_both_sides() -> None:
    state = down(fighting(), BO, SNAG, SNIG).with_hp(GRUM, 1).with_hp(MIRA, 1)
    state = state.gains(GRUM, POISON).gains(MIRA, POISON)
    ended = tk.play(bad_statuses.round_end, state, answers=[(3, 4)]).result
    assert ended.hp[MIRA] == ended.hp[GRUM] == 0
    assert endings.outcome(ended) == "draw"
    over = closed(ended)
    assert over.phase == "over" and endings.ending(over) == "draw" and over.loot == ()


def test_LB_EDGE_37_no_treasure_after_an_escape() -> None:
    state = replace(down(fighting(), SNAG, SNIG), outcome="foe_escaped").put(GRUM, 0)
    over = closed(state)
    assert over.phase == "over" and over.loot == ()
    assert endings.ending(over) == "the foes escape"


def test_LB_EDGE_48_a_ghost_does_not_hold_the_field() -> None:
    haunted = fighting().dies(BO)
    haunted = replace(haunted, ghosts=(BO,), affection=((BO, MIRA, 6),))
    assert not endings.is_decided(haunted)
    assert endings.outcome(down(haunted, MIRA)) == "foe_won"


def test_LB_EDGE_67_the_deadline_falls_due_with_the_last_of_the_court() -> None:
    state = down(fighting(), BO).doomed(Doom(BO, "battle_end")).with_hp(MIRA, 1)
    hit = tk.play(wounds.take_damage, state, MIRA, 3, answers=[(1, 3)]).result
    assert hit.dooms == (Doom(MIRA, "battle_end"), Doom(BO, "battle_end"))
    over = closed(hit, REST, REST)
    assert over.dead == (MIRA, BO) and over.dooms == ()
    assert endings.ending(over) == "the foes win"


def test_who_was_healed_in_time_lives() -> None:
    state = down(fighting(), SNAG, SNIG, GRUM).doomed(Doom(BO, "battle_end"))
    assert closed(state).dead == (SNAG, SNIG, GRUM)
    late = state.doomed(Doom(BO, "quarter_end")).with_hp(BO, 0)
    assert closed(late).dooms == (Doom(BO, "quarter_end"),)


def test_a_side_gives_up_between_turns() -> None:
    offers = [Taken(endings.Surrender())]
    mine = tk.play(rounds.advance, fighting(), answers=offers).result
    assert mine.surrendered == COURT and endings.outcome(mine) == "foe_won"
    assert closed(mine).phase == "over"  # no treasure for the foes
    theirs = tk.play(
        rounds.advance, fighting(), answers=[Taken(endings.Surrender(), 1)]
    )
    assert theirs.result.surrendered == FOE
    assert closed(theirs.result).phase == "treasure"


def test_what_lasted_for_the_battle_is_over() -> None:
    state = down(fighting(), SNAG, SNIG, GRUM)
    state = replace(state, slept=(MIRA,), suppressed=((SNAG, "bite"),), acted=(MIRA,))
    over = closed(state.gains(MIRA, SLEEP).gains(BO, POISON))
    assert over.statuses == ((BO, POISON),)  # LB-SLP-03, LB-POI-02
    assert over.slept == over.suppressed == over.acted == ()


# ---- treasure


def shares(
    state: State, *answers: treasure.Loot, faces: list[tuple[int, ...]]
) -> State:
    ready = replace(state, phase="treasure", outcome="court_won")
    played = tk.play(treasure.share_out, ready, answers=list(answers), faces=faces)
    shared: State = played.result
    return shared


def test_LB_EDGE_49_three_of_level_2_together() -> None:
    people = (*PEOPLE, somebody("Snog", FOE, MONSTER, level=2, monster_kind="goblin"))
    setup = Encounter(people, (2, 3, 4, 4, 6, 4))
    state = down(fighting(setup), SNAG, SNIG, 5).put(GRUM, 0)
    found = shares(state, treasure.Loot("goblin", 3), faces=[(6,)])
    assert found.loot == ("a rare item of your choice",)  # 6, so table 5: one roll
    menu = treasure.Shares(replace(state, phase="treasure"), COURT)
    assert not menu.allows(treasure.Loot("goblin", 4))


def test_each_monster_is_worth_one_roll() -> None:
    state = down(fighting(), SNAG, SNIG, GRUM)
    one, ogre = treasure.Loot("goblin", 1), treasure.Loot("ogre", 1)
    found = shares(state, one, one, ogre, faces=[(1,), (2,), (3,)])
    assert found.loot == ("3 materials", "4 materials", "10 materials")
    assert found.looted == () and found.phase == "over"


def test_a_groups_own_treasure_is_found() -> None:
    own = CAVE.tables.with_rows("treasure", "roll,effect,words\n1–6,nothing,dust\n", 3)
    state = down(fighting(replace(CAVE, tables=own)), GRUM)
    assert shares(state, treasure.Loot("ogre", 1), faces=[(5,)]).loot == ("dust",)


# ---- going home


def sent(state: State, count: int, faces: tuple[int, int]) -> State:
    answer = followers.Transport("Mira", count, ("iron",))
    played = tk.play(followers.send_home, state, answers=[answer], faces=[faces])
    home: State = played.result
    return home


def camp(level: int = 2, **variant: Any) -> State:
    setup = replace(CAVE, military_level=level, variant=Variant(**variant))
    return replace(opening(setup), phase="over", loot=("iron", "lamp"))


def test_LB_EDGE_50_more_are_lost_than_were_sent() -> None:
    home = sent(camp(level=0), 2, (1, 2))
    assert home.people == 40 + 2 - 6 and home.memo == ()
    assert home.followers[MIRA] == 8


def test_LB_EDGE_51_two_ones_take_all_who_were_sent() -> None:
    home = sent(camp(level=3), 10, (1, 1))
    assert home.people == 40 and home.memo == ()


def test_people_are_never_fewer_than_none() -> None:
    poor = replace(camp(level=0), people=0)
    assert sent(poor, 1, (1, 2)).people == 0


def test_a_cursed_leader_fails_on_three() -> None:
    cursed = camp(level=6).gains(MIRA, BadStatus.CURSE)
    assert sent(camp(level=6), 4, (1, 2)).people == 44  # 9 of 9
    assert sent(cursed, 4, (1, 2)).people == 40


def test_transport_rule_off_asks_nobody() -> None:
    menu = followers.Transports(camp(transport_rule=False), COURT)
    assert [*menu.values()] == [followers.Stay()]
    reasons = menu.why_not(followers.Transport("Mira", 2, ("iron",)))
    assert [one.clause for one in reasons] == ["LB-TRN-10"]
    with pytest.raises(ValueError, match="LB-TRN-10"):
        sent(camp(transport_rule=False), 2, (3, 4))


def test_goods_are_carried_as_often_as_they_were_found() -> None:
    loads = followers.Loads(("iron", "lamp", "iron"))
    assert ("iron", "iron") in loads and ("lamp", "iron") in loads
    assert ("iron", "iron", "iron") not in loads and "iron" not in loads
    assert next(iter(loads)) == ("iron", "lamp", "iron")


# ---- between battles


def test_the_next_battle_begins_as_this_one_has_ended() -> None:
    state = down(fighting(), SNAG, SNIG, GRUM).put(MIRA, 5).with_followers(MIRA, 4)
    state = closed(state.with_hp(BO, 3).gains(BO, POISON))
    state = shares(
        state,
        *[treasure.Loot("ogre", 1)],
        *[treasure.Loot("goblin", 2)],
        faces=[(1,), (1,)],
    )
    again = between_battles.next_encounter(state, PEOPLE[2:3], (0,))
    assert again.placement == (5, 3, 0)
    begun = opening(again)
    assert (begun.hp[BO], begun.followers[MIRA]) == (3, 4)
    assert begun.statuses == ((BO, POISON),)


def test_a_row_6_deadline_counts_quarters() -> None:
    state = replace(down(fighting(), BO), phase="over").doomed(Doom(BO, "quarters", 2))
    once = tk.play(between_battles.pass_quarter, state).result
    assert once.dooms == (Doom(BO, "quarters", 1),)
    twice = tk.play(between_battles.pass_quarter, once, answers=[REST])
    assert twice.result.dead == (BO,)
    assert endings.TooLate(BO) in twice.events


def test_the_next_battle_knows_how_often_data_was_kept_back() -> None:
    state = replace(fighting(), phase="over", is_unidentified=True)
    again = between_battles.next_encounter(state, PEOPLE[2:3], (0,))
    assert again.unidentified_before == 1
    open_one = between_battles.next_encounter(
        replace(state, is_unidentified=False), PEOPLE[2:3], (0,)
    )
    assert open_one.unidentified_before == 0
