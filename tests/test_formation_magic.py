"""Formation Battle, magic: the ledger's edges, windows, throws, story magic, odds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.core.outcomes import Tables
from tabletop_kit.formation import (
    Combatant,
    Element,
    Encounter,
    Range,
    Side,
    Slot,
    State,
    Variant,
    Weapon,
    abilities,
    attacks,
    effects,
    magic,
    states,
    story_magic,
    turns,
)
from tabletop_kit.formation.abilities import (
    Ability,
    AbilityKind,
    Ailment,
    Amount,
    Buff,
    Cure,
    Damage,
    Escape,
    Heal,
    Imbue,
    Refresh,
    Revive,
    Target,
    Timing,
)
from tabletop_kit.formation.magic import Use

CLAW = Weapon("claw", Range(1))
MIA, ANN, BEN, CAT, DOG = range(5)


def spell(name: str, target: Target = Target.ONE, **more: Any) -> Ability:
    return Ability(**{"name": name, "target": target, "mp_cost": 2, **more})


def strike(name: str, target: Target = Target.ONE, **more: Any) -> Ability:
    given = {
        "element": Element.NON_ELEMENTAL,
        "damage": Damage.NORMAL,
        "value": Amount(("magic_power",), 10, "2D6"),
        **more,
    }
    return spell(name, target, **given)


SHOT = strike("shot", range=Range(3), mp_cost=4)
BOOST = strike(
    "boost",
    range=Range(1),
    element=Element.PHYSICAL,
    value=Amount(("attack_power", "magic_power"), dice="2D6"),
)
FIXED = strike("fixed", range=Range(3), damage=Damage.FIXED, value=Amount(constant=12))
RAIN = strike(
    "rain", Target.ROW, range=Range(2), value=Amount(("magic_power",), dice="2D6")
)
STORM = strike("storm", Target.ALL, range=Range(2), value=Amount(constant=20))
MEND = spell("mend", Target.ALLY, value=Amount(dice="2D6"), effects=(Heal(),))
FEAST = spell(
    "feast", Target.ALLIES, value=Amount(constant=5), effects=(Heal(), Refresh())
)
RAISE = spell("raise", Target.ALLY, value=Amount(dice="2D6"), effects=(Revive(),))
FLAME = spell("flame", Target.ALLY, effects=(Imbue(Element.FIRE),))
FLASH = spell("flash", Target.SELF, effects=(Buff("agility", 3),), mp_cost=0)
SHIFT = spell("shift", Target.ALLY, effects=(Escape(),), allowed_in_battle=False)
LAST_WORD = spell(
    "last word",
    Target.SELF,
    timing=Timing.SPECIAL,
    trigger=abilities.Trigger.OWN_FALL,
    mp_cost=0,
)
BOOK = (SHOT, BOOST, FIXED, RAIN, STORM, MEND, FEAST, RAISE, FLAME, FLASH, SHIFT)


def person(name: str, side: Side, hp: int = 30, **more: Any) -> Combatant:
    scores = {
        "attack_power": 5,
        "physical_defense": 3,
        "magic_defense": 7,
        "agility": 5,
        "intelligence": 5,
        **more,
    }
    return Combatant(name, side, CLAW, hp, **scores)


MIA_SHEET = person("Mia", Side.PC, magic_power=6, mp_max=20, abilities=BOOK)
PEOPLE = (
    MIA_SHEET,
    person("Ann", Side.PC, mp_max=9),
    person("Ben", Side.ENEMY),
    person("Cat", Side.ENEMY),
    person("Dog", Side.ENEMY),
)
PLACES = (
    Slot.PC_FRONT,
    Slot.PC_BACK,
    Slot.ENEMY_FRONT,
    Slot.ENEMY_FRONT,
    Slot.ENEMY_BACK,
)
SETUP = Encounter(PEOPLE, PLACES)
EVERYONE = tuple(range(5))
START = replace(states.opening(SETUP), phase=formation.Phase.COMBAT, order=EVERYONE)
PER_TARGET = replace(SETUP, variant=Variant(row_attack_roll="per_target"))
CLOSING = replace(SETUP, variant=Variant(empty_row_rule="auto_advance"))


def cast(state: State, name: str, target: str, *faces: tuple[int, ...]) -> Any:
    return tk.play(magic.use, state, MIA, Use(name, target), faces=faces)


def codes(state: State, name: str, target: str) -> list[str]:
    reasons = turns.Actions(state, MIA).why_not(Use(name, target))
    return [reason.code for reason in reasons]


def words(played: Any) -> list[str]:
    return [event.words(SETUP.name_of) for event in played.events]


# ---- the ledger's edges ------------------------------------------------------------


def test_FM_EDGE_13_a_fumble_keeps_the_mp() -> None:
    lost = cast(START, "shot", "Ben", (1, 1))
    assert lost.result.mp[MIA] == 20 - 4
    assert lost.result.hp == START.hp and lost.result.acted == (MIA,)
    assert words(lost)[1:] == ["Mia misses Ben."]
    help_lost = cast(START.hurt(ANN, 9), "mend", "Ann", (1, 1))
    assert help_lost.result.mp[MIA] == 18 and help_lost.result.hp[ANN] == 21
    assert words(help_lost)[1:] == ["Mia fumbles, and nothing happens."]


def test_FM_EDGE_16_an_imbued_blow_stays_a_normal_attack(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lit = cast(START, "flame", "Ann").result.moved(ANN, Slot.PC_FRONT)
    asked = []

    def follow_up(ask: Any, state: State, who: int) -> State:
        asked.append(who)
        return state

    monkeypatch.setattr(formation.reactions, "follow_up", follow_up)
    burned = tk.play(attacks.attack, lit, ANN, BEN, faces=[(3, 4)])
    assert burned.result.hp[BEN] == 30 - (5 + 7 - 7)  # its magic defense
    assert burned.result.mp == lit.mp and lit.mp[MIA] == 18
    assert asked == [ANN]


def test_FM_EDGE_17_boosted_strike_meets_physical_defense() -> None:
    assert cast(START, "boost", "Ben", (2, 4)).result.hp[BEN] == 30 - 14
    soft = person("Ben", Side.ENEMY, magic_defense=-9)
    people = (*PEOPLE[:BEN], soft, *PEOPLE[CAT:])
    same = cast(
        replace(START, setup=replace(SETUP, combatants=people)), "boost", "Ben", (2, 4)
    )
    assert same.result.hp[BEN] == 30 - 14
    assert same.events[1].under == ("FM-ELEM-04",)


def test_FM_EDGE_18_a_guard_halves_fixed_damage() -> None:
    wall = person("Ben", Side.ENEMY, physical_defense=20, magic_defense=20)
    people = (*PEOPLE[:BEN], wall, *PEOPLE[CAT:])
    walled = replace(START, setup=replace(SETUP, combatants=people))
    open_hit, guarded = (
        cast(state, "fixed", "Ben") for state in (walled, walled.defended(BEN))
    )
    assert open_hit.result.hp[BEN] == 18 and guarded.result.hp[BEN] == 24
    assert words(open_hit)[1] == "Ben takes 12 non-elemental damage; no defense counts."
    assert words(guarded)[1] == (
        "Ben takes 6 non-elemental damage, half of 12; no defense counts."
    )


# ---- what it costs, and when -------------------------------------------------------


def test_FM_ACT_06_just_enough_mp_and_one_too_few() -> None:
    assert codes(START.paid(MIA, 16), "shot", "Ben") == []
    assert codes(START.paid(MIA, 17), "shot", "Ben") == ["no_mp"]
    [reason] = turns.Actions(START.paid(MIA, 17), MIA).why_not(Use("shot", "Ben"))
    assert reason.sentence == "It costs 4 MP; 3 are left."


def test_FM_ACT_06_it_is_paid_when_it_is_declared() -> None:
    shot = cast(START, "shot", "Ben", (4, 5))
    assert shot.told[0].mp[MIA] == 16 and shot.told[0].acted == (MIA,)
    assert shot.told[0].hp == START.hp


def test_FM_TURN_04_the_log_says_what_a_spell_does() -> None:
    assert words(cast(START, "shot", "Ben", (4, 5)))[0] == (
        "Mia uses shot for 4 MP: non-elemental damage magic power + 2D6 + 10."
    )
    assert magic.said(spell("dance")) == "nothing that has numbers"
    assert magic.said(spell("song", words="It heals.")) == "It heals"


def test_FM_TIME_02_a_standard_ability_is_the_action() -> None:
    assert codes(START.done(MIA), "shot", "Ben") == ["already_acted"]
    quick = replace(FLASH, timing=Timing.INSTANT)
    sheet = replace(MIA_SHEET, abilities=(quick,))
    instant = replace(START, setup=replace(SETUP, combatants=(sheet, *PEOPLE[1:])))
    assert cast(instant, "flash", "Mia").result.acted == ()
    assert cast(START, "flash", "Mia").result.acted == (MIA,)


@pytest.mark.parametrize(
    ("timing", "used", "spent"),
    [
        (Timing.COOPERATION, True, False),
        (Timing.FOLLOW_UP, True, False),
        (Timing.AT_TURN_END, True, False),
        (Timing.AT_PREP, False, True),
        (Timing.STANDARD, False, False),
    ],
)
def test_what_a_use_uses_up(timing: Timing, used: bool, spent: bool) -> None:
    sheet = replace(MIA_SHEET, abilities=(replace(FLASH, timing=timing),))
    state = replace(START, setup=replace(SETUP, combatants=(sheet, *PEOPLE[1:])))
    after = cast(state, "flash", "Mia").result
    assert bool(after.used) == used and bool(after.spent) == spent


# ---- whom it takes -----------------------------------------------------------------


def test_FM_TIME_02_other_timings_do_not_need_the_action() -> None:
    after = replace(SHOT, timing=Timing.FOLLOW_UP)
    sheet = replace(MIA_SHEET, abilities=(after,))
    setup = replace(SETUP, combatants=(sheet, *PEOPLE[1:]))
    acted = replace(START, setup=setup).done(MIA)
    assert formation.reactions.FollowUps(acted, MIA, ANN).allows(Use("shot", "Ben"))


def test_FM_ACT_07_a_row_is_chosen_in_range_only() -> None:
    assert codes(START, "rain", "enemy front") == []
    assert codes(START, "rain", "enemy back") == []
    behind = START.moved(MIA, Slot.PC_BACK)
    assert codes(behind, "rain", "enemy back") == ["too_far"]
    assert codes(START, "rain", "PC back") == ["nobody"]
    assert codes(START.hurt(DOG, 30), "rain", "enemy back") == ["nobody"]
    assert codes(START, "rain", "Ben") == ["no_such_target"]


def test_FM_ACT_07_all_are_those_in_range() -> None:
    behind = START.moved(MIA, Slot.PC_BACK)
    near = cast(behind, "storm", "all")
    assert [30 - hp for hp in near.result.hp] == [0, 0, 13, 13, 0]
    every = cast(START.left(CAT), "storm", "all")
    assert [30 - hp for hp in every.result.hp] == [0, 0, 13, 0, 13]
    far = behind.hurt(BEN, 30).hurt(CAT, 30)
    assert codes(far, "storm", "all") == ["too_far"]
    assert codes(behind.moved(BEN, Slot.ENEMY_BACK), "storm", "all") == []


def test_FM_ACT_07_reasons_against_one_target() -> None:
    assert codes(START, "shot", "Ann") == ["own_side"]
    assert codes(START, "mend", "Ben") == ["not_own"]
    assert codes(START.hurt(BEN, 30), "shot", "Ben") == ["down"]
    assert codes(START.left(BEN), "shot", "Ben") == ["gone"]
    assert codes(START, "raise", "Ann") == ["not_down"]
    assert codes(START.hurt(ANN, 30), "raise", "Ann") == []
    assert codes(START.hurt(ANN, 30), "mend", "Ann") == ["down"]
    assert codes(START, "boost", "Dog") == ["too_far"]
    assert codes(START, "mend", "Mia") == []


def test_FM_ACT_07_help_reaches_everybody_of_the_side() -> None:
    hurt = START.hurt(MIA, 9).hurt(ANN, 3).paid(ANN, 2).paid(MIA, 9)
    fed = cast(hurt, "feast", "all")
    assert fed.result.hp[:2] == (26, 30) and fed.result.mp[:2] == (14, 9)
    assert words(fed)[1:] == [
        "Mia recovers 5 HP.",
        "Mia recovers 5 MP.",
        "Ann recovers 3 HP.",
        "Ann recovers 2 MP.",
    ]


def test_FM_ACT_07_one_throw_for_all_or_one_for_each() -> None:
    shared = cast(START, "rain", "enemy front", (3, 5))
    assert [30 - hp for hp in shared.result.hp] == [0, 0, 7, 7, 0]
    missed = cast(START, "rain", "enemy front", (1, 1))
    assert words(missed)[1:] == ["Mia misses Ben.", "Mia misses Cat."]
    state = replace(START, setup=PER_TARGET)
    each = cast(state, "rain", "enemy front", (1, 1), (3, 5))
    assert [30 - hp for hp in each.result.hp] == [0, 0, 0, 7, 0]
    assert words(each)[1] == "Mia misses Ben." and len(each.rolls) == 2


# ---- what it does ------------------------------------------------------------------


def test_FM_ACT_08_damage_is_the_value_less_magic_defense() -> None:
    shot = cast(START, "shot", "Ben", (4, 5))
    assert shot.result.hp[BEN] == 30 - 18
    assert words(shot)[1] == "Ben takes 18 non-elemental damage: 25 − 7."
    wall = person("Ben", Side.ENEMY, magic_defense=99)
    people = (*PEOPLE[:BEN], wall, *PEOPLE[CAT:])
    nothing = cast(
        replace(START, setup=replace(SETUP, combatants=people)), "shot", "Ben", (4, 5)
    )
    assert nothing.result.hp[BEN] == 30


def test_FM_ACT_08_a_guard_halves_it_after_the_defense() -> None:
    guarded = cast(START.defended(BEN), "shot", "Ben", (4, 6))
    assert guarded.result.hp[BEN] == 30 - (26 - 7) // 2
    assert words(guarded)[1] == "Ben takes 9 non-elemental damage, half of 26 − 7."
    assert guarded.events[1].account()[-1] == ("÷", 2, "on guard")


def test_FM_ACT_08_what_strengthens_the_caster_counts() -> None:
    stronger = START.gains(MIA, Buff("magic_power", 2)).gains(
        BEN, Buff("magic_defense", -3)
    )
    assert cast(stronger, "shot", "Ben", (4, 5)).result.hp[BEN] == 30 - 23


def test_FM_SUM_04_nothing_is_rolled_without_dice() -> None:
    assert cast(START, "fixed", "Ben").rolls == []


def test_effects_on_whom_they_make_sense() -> None:
    def after(state: State, effect: abilities.Effect, value: int = 0) -> Any:
        return tk.play(effects.taking_effect, state, BEN, effect, value)

    down = START.hurt(BEN, 30)
    for effect in (
        Heal(),
        Refresh(),
        Buff("agility", 1),
        Imbue(Element.FIRE),
        Escape(),
    ):
        assert after(down, effect, 3).result == down
    assert after(START, Revive(), 3).result == START
    assert after(down, Revive(), 3).result.hp[BEN] == 3
    assert after(down, Revive(), 0).events == []
    assert after(START, Cure()).events == []
    poison = Ailment("poison", turn_end_damage=5)
    sick = after(START, poison)
    assert words(sick) == ["Ben: poison."] and sick.result.ailments(BEN)
    assert after(sick.result, Cure(("sleep",))).result == sick.result
    assert words(after(sick.result, Cure(("poison",)))) == ["Ben is cured."]
    gone = START.left(BEN)
    assert after(gone, Heal(), 3).events == after(gone, Escape()).events == []


def test_FM_ELEM_05_a_lent_element_lasts_so_long_and_can_be_taken_off() -> None:
    def lent(state: State, element: Element, turns: int | None = None) -> Any:
        effect = Imbue(element, turns)
        return tk.play(effects.taking_effect, state, ANN, effect, 0)

    for_two = lent(START, Element.FIRE, 2)
    assert for_two.result == START.imbue(ANN, Element.FIRE, 2) != START
    assert words(for_two) == ["Ann strikes with fire now."]
    off = lent(for_two.result, Element.PHYSICAL)
    assert off.result == START
    assert words(off) == ["The blows of Ann are physical now."]


def test_a_damaging_spell_does_its_effects_to_who_still_stands() -> None:
    sleepy = replace(SHOT, effects=(abilities.ASLEEP,))
    sheet = replace(MIA_SHEET, abilities=(sleepy,))
    state = replace(START, setup=replace(SETUP, combatants=(sheet, *PEOPLE[1:])))
    asleep = cast(state, "shot", "Ben", (4, 5))
    assert asleep.result.barred_by(BEN) == abilities.ASLEEP
    felled = cast(state.hurt(BEN, 20), "shot", "Ben", (4, 5))
    assert felled.result.lasting == ()
    assert words(felled)[-1] == "Ben is down."
    missed = cast(state, "shot", "Ben", (1, 1))
    assert missed.result.lasting == ()


# ---- answers to an attack, and the end ---------------------------------------------


def windowed(monkeypatch: pytest.MonkeyPatch, change: Any) -> list[str]:
    """The window does `change` to the state; what is asked for is listed."""
    asked: list[str] = []

    def when_attacked(ask: Any, state: State, who: int, targets: Any) -> Any:
        asked.append(f"answer {targets}")
        return change(state)

    def follow_up(ask: Any, state: State, who: int) -> State:
        asked.append(f"follow {who}")
        return state

    monkeypatch.setattr(formation.reactions, "when_attacked", when_attacked)
    monkeypatch.setattr(formation.reactions, "follow_up", follow_up)
    return asked


def test_who_left_in_the_window_drops_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = windowed(monkeypatch, lambda state: state.left(BEN))
    rain = cast(START, "rain", "enemy front", (3, 5))
    assert [30 - hp for hp in rain.result.hp] == [0, 0, 0, 7, 0]
    shot = cast(START, "shot", "Ben")
    assert shot.rolls == [] and shot.result.mp[MIA] == 16
    assert [type(event) for event in shot.events[1:]] == [
        formation.reactions.NobodyLeft
    ]
    assert asked == ["answer (2, 3)", "follow 0", "answer (2,)", "follow 0"]


def test_a_battle_decided_in_the_window_goes_no_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def all_gone(state: State) -> State:
        return state.left(MIA).left(ANN)

    asked = windowed(monkeypatch, all_gone)
    shot = cast(START, "shot", "Ben")
    assert shot.rolls == [] and shot.result.hp == START.hp and len(shot.events) == 1
    assert asked == ["answer (2,)"]


def test_a_caster_who_became_unable_still_casts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    windowed(monkeypatch, lambda state: state.gains(MIA, abilities.STOPPED))
    assert cast(START, "shot", "Ben", (4, 5)).result.hp[BEN] == 12


def test_FM_TIME_06_only_attack_magic_is_followed_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = windowed(monkeypatch, lambda state: state)
    cast(START, "mend", "Ann", (2, 3))
    assert asked == []
    skill = replace(SHOT, kind=AbilityKind.SKILL)
    sheet = replace(MIA_SHEET, abilities=(skill,))
    state = replace(START, setup=replace(SETUP, combatants=(sheet, *PEOPLE[1:])))
    cast(state, "shot", "Ben", (2, 3))
    assert asked == ["answer (2,)"]
    cast(START, "shot", "Ben", (1, 1))
    assert asked[1:] == ["answer (2,)", "follow 0"]
    last = START.hurt(CAT, 30).hurt(DOG, 30).hurt(BEN, 29)
    cast(last, "shot", "Ben", (2, 3))
    assert asked[3:] == ["answer (2,)"]  # nothing follows a battle that is over


def test_what_is_for_one_attack_is_over_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def shielded(state: State) -> State:
        return state.gains(BEN, Buff("magic_defense", 5, turns=0))

    windowed(monkeypatch, shielded)
    shot = cast(START, "shot", "Ben", (4, 5)).result
    assert shot.hp[BEN] == 30 - 13 and shot.lasting == ()


def test_FM_END_01_nothing_more_once_it_is_decided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = windowed(monkeypatch, lambda state: state)
    monkeypatch.setattr(
        attacks, "fell", lambda ask, state, who: state.left(MIA).left(ANN)
    )
    cast(START.hurt(BEN, 29), "rain", "enemy front", (3, 5))
    assert asked == ["answer (2, 3)"]


@pytest.mark.parametrize(("setup", "throws"), [(SETUP, 1), (PER_TARGET, 2)])
def test_a_row_is_struck_before_anybody_falls(
    setup: Encounter, throws: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []

    def fallen(ask: Any, state: State, who: int) -> State:
        seen.append((who, state.hp[BEN], state.hp[CAT]))
        return state.healed(CAT, 4)

    monkeypatch.setattr(formation.reactions, "fallen", fallen)
    dying = replace(SETUP.combatants[DOG], abilities=(LAST_WORD,))
    people = (*setup.combatants[:DOG], dying)
    state = replace(START, setup=replace(setup, combatants=people))
    rain = cast(
        state.hurt(BEN, 29).hurt(CAT, 29), "rain", "enemy front", *[(3, 5)] * throws
    )
    assert [type(event) for event in rain.events[1:]] == [
        effects.Struck,
        effects.Struck,
        attacks.Fell,
        attacks.Fell,
    ]
    assert seen == [(BEN, 0, 0), (CAT, 0, 4)]
    assert [event.who for event in rain.events[3:]] == [BEN, CAT]


def test_a_spell_that_fells_in_both_rows_lets_the_others_close_up() -> None:
    state = replace(START, setup=CLOSING).moved(BEN, Slot.ENEMY_BACK)
    storm = cast(state.hurt(BEN, 29).hurt(CAT, 29), "storm", "all")
    assert [type(event) for event in storm.events[-3:]] == [
        attacks.Fell,
        attacks.Fell,
        formation.entering.ClosedUp,
    ]
    assert storm.result.slots[DOG] == Slot.ENEMY_FRONT


def test_who_stays_down_does_not_fall_again() -> None:
    raised = cast(START.hurt(ANN, 99), "raise", "Ann", (1, 1))
    assert [type(event) for event in raised.events[1:]] == [effects.Fizzled]


def test_MP_for_who_never_had_any_are_no_MP() -> None:
    people = tuple([replace(one, mp_max=0, abilities=()) for one in PEOPLE])
    state = states.opening(replace(SETUP, combatants=people))
    played = tk.play(effects.taking_effect, state, ANN, Refresh(), 5)
    assert state.mp == () and played.result == state and played.events == []


# ---- magic of the story ------------------------------------------------------------

PLEA = story_magic.Plea("shift")


def acts(state: State, *answers: Any) -> Any:
    return tk.play(turns.act, state, MIA, answers=answers, faces=[])


def test_FM_OTH_01_magic_of_the_story_is_not_offered() -> None:
    legal = list(turns.Actions(START, MIA).values(Use))
    assert not any(use.ability == "shift" for use in legal)
    assert codes(START, "shift", "Mia") == ["not_in_battle"]


def test_FM_OTH_02_allowed_it_is_an_action_for_the_rest_of_the_battle() -> None:
    away = acts(START, PLEA, story_magic.Allow(), Use("shift", "Ann"))
    assert away.result.escaped == (ANN,) and away.result.mp[MIA] == 18
    assert words(away)[0] == "The game master allows Mia shift for this battle."
    later = away.result
    assert later.allowed == ((MIA, "shift"),)
    again = tk.play(turns.end_turn, replace(later, order=(0, 2, 3, 4))).result
    assert codes(again, "shift", "Mia") == []
    assert PLEA not in list(turns.Actions(again, MIA).thinkable())
    assert turns.Actions(START, ANN).why_not(PLEA)[0].code == "no_such_ability"


def test_FM_OTH_02_refused_it_may_be_asked_again_next_turn() -> None:
    no = acts(START, PLEA, story_magic.Deny(), turns.Pass())
    assert words(no)[0] == "The game master does not allow Mia shift this turn."
    asked = no.told[0]
    menu = turns.Actions(asked, MIA)
    assert [reason.code for reason in menu.why_not(PLEA)] == ["asked_already"]
    assert asked.acted == () and asked.allowed == ()
    after = tk.play(turns.end_turn, replace(no.result, acted=EVERYONE)).result
    assert turns.Actions(after, MIA).allows(PLEA)


def test_FM_OTH_02_a_refusal_is_of_one_ability_of_one_person() -> None:
    spent = replace(START, used=((MIA, "shot"), (ANN, "shift")))
    assert turns.Actions(spent, MIA).allows(PLEA)
    refused_her = replace(spent, used=(*spent.used, (MIA, "shift")))
    assert not turns.Actions(refused_her, MIA).allows(PLEA)


def test_FM_OTH_02_who_cannot_act_cannot_ask() -> None:
    for state, code in (
        (START.done(MIA), "already_acted"),
        (START.hurt(MIA, 30), "unconscious"),
        (START.gains(MIA, abilities.ASLEEP), "unable"),
    ):
        reasons = turns.Actions(state, MIA).why_not(PLEA)
        assert [reason.code for reason in reasons] == [code]


def test_FM_OTH_02_the_game_master_is_asked_no_first() -> None:
    menu = story_magic.Pleas(START, "gm", (MIA, "shift"))
    assert list(menu.values()) == [story_magic.Deny(), story_magic.Allow()]


def test_an_escape_closes_the_row_up_and_can_end_the_battle() -> None:
    state = replace(START, setup=CLOSING).allow(MIA, "shift")
    closed = cast(state, "shift", "Mia").result
    assert closed.slots[ANN] == Slot.PC_FRONT
    assert cast(replace(state, setup=SETUP), "shift", "Mia").result.slots == START.slots
    alone = cast(state.hurt(ANN, 30), "shift", "Mia").result
    over = tk.play(turns.advance, alone).result
    assert turns.ending(over) == "enemies win" and over.allowed == ()


def test_FM_OTH_03_the_game_master_says_what_it_does_in_a_scene() -> None:
    for answer, does in ((story_magic.Allow(), True), (story_magic.Deny(), False)):
        asked = tk.play(
            story_magic.outside_battle, START, MIA, "shot", answers=[answer]
        )
        assert asked.result is does and asked.events == []


# ---- exact odds --------------------------------------------------------------------


@pytest.mark.parametrize("setup", [SETUP, PER_TARGET])
@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("shot", "Ben"),
        ("boost", "Ben"),
        ("rain", "enemy front"),
        ("mend", "Ann"),
        ("raise", "Mia"),
        ("fixed", "Ben"),
        ("leech", "Ben"),
    ],
)
def test_lumped_totals_change_no_odds(setup: Encounter, name: str, target: str) -> None:
    leech = replace(SHOT, name="leech", effects=(Heal(), Buff("agility", -1)))
    sheet = replace(MIA_SHEET, abilities=(*BOOK, leech))
    state = replace(START, setup=replace(setup, combatants=(sheet, *PEOPLE[1:])))
    state = state.hurt(BEN, 12).hurt(CAT, 22).hurt(ANN, 7).defended(BEN)
    if name == "raise":
        state = state.hurt(MIA, 30)
    lumped, plain = (
        Tables(lumps=lumps)(magic.use, state, MIA, Use(name, target))
        for lumps in (True, False)
    )
    assert {result.hp for result in lumped.ways} == {result.hp for result in plain.ways}
    for result in plain.ways:
        chance = Fraction(lumped.ways[result], lumped.total)
        assert abs(chance - Fraction(plain.ways[result], plain.total)) < Fraction(
            1, 10**9
        )


def test_a_shot_in_a_table() -> None:
    value = tk.outcomes(effects.reckon, 16, attacks.TWO_DICE, "shot")
    assert value.chance(lambda worth: worth.total is None).low == Fraction(1, 36)
    assert value.chance(lambda worth: worth.total == 28).low == 0


def test_battles_with_magic_come_to_an_end() -> None:
    enemies = (replace(PEOPLE[BEN], abilities=(SHOT, MEND), mp_max=9), *PEOPLE[CAT:])
    battle = replace(SETUP, combatants=(*PEOPLE[:BEN], *enemies))
    frame = tk.simulate(battle, battles=8, policy=tk.random_legal, seed=7)
    assert frame.height == 8
