"""Timing classes: who may answer whom, when and how often, by the ledger's edges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.core.conformance import check_system
from tabletop_kit.core.menus import Menu
from tabletop_kit.formation import (
    Attack,
    Element,
    Encounter,
    Pass,
    Range,
    Side,
    Slot,
    State,
    Variant,
    abilities,
    attacks,
    magic,
    reactions,
    sheets,
    states,
    tactics,
    turn_end,
    turns,
)
from tabletop_kit.formation.abilities import (
    Ability,
    AbilityKind,
    Ailment,
    Amount,
    Buff,
    Damage,
    Effect,
    Escape,
    Heal,
    Revive,
    Target,
    Timing,
    Trigger,
)
from tabletop_kit.formation.getting_ready import Enough
from tabletop_kit.formation.magic import Use
from tabletop_kit.formation.reactions import (
    Asked,
    Attacked,
    FollowUps,
    NobodyLeft,
    Reactions,
    Request,
    Specials,
)

AKI, REN, MIO, BRUTE, WOLF, SLINGER = range(6)
BRIDGE = formation.samples["footbridge"]
SEVEN, FOUR, FUMBLE = (3, 4), (1, 3), (1, 1)
ENOUGH = Enough()


def ability(name: str, timing: Timing, *effects: Effect, **more: Any) -> Ability:
    """A skill that costs nothing."""
    more.setdefault("kind", AbilityKind.SKILL)
    return Ability(name=name, timing=timing, effects=effects, **more)


def striking(name: str, timing: Timing, **more: Any) -> Ability:
    """One that does 5 damage, less the defense."""
    more.setdefault("element", Element.PHYSICAL)
    more.setdefault("value", Amount(constant=5))
    return ability(name, timing, damage=Damage.NORMAL, **more)


PARRY = ability(
    "parry",
    Timing.WHEN_ATTACKED,
    Buff("physical_defense", 3, turns=0),
    target=Target.SELF,
)
GLARE = ability("glare", Timing.WHEN_ATTACKED, abilities.STOPPED)
COUNTER = striking("counter", Timing.WHEN_ATTACKED)
COVER = ability(
    "cover",
    Timing.COOPERATION,
    Buff("physical_defense", 4, turns=0),
    target=Target.ALLY,
    mp_cost=2,
)
ARROW = striking("arrow", Timing.FOLLOW_UP)
SPARK = striking("spark", Timing.FOLLOW_UP, kind=AbilityKind.MAGIC)
DART = striking("dart", Timing.FOLLOW_UP, kind=AbilityKind.MAGIC)
RISE = ability(
    "rise",
    Timing.SPECIAL,
    Revive(),
    trigger=Trigger.OWN_FALL,
    usable_when_unable=True,
    target=Target.SELF,
    value=Amount(constant=3),
)
GRIEF = ability(
    "grief",
    Timing.SPECIAL,
    Buff("attack_power", 3),
    trigger=Trigger.ALLY_FALLS,
    target=Target.SELF,
)


def knowing(variant: Variant | None = None, **known: tuple[Ability, ...]) -> State:
    """Turn 1 on the footbridge; MP 5 for each PC."""
    people = tuple(
        replace(
            sheet,
            abilities=known.get(sheet.name.lower(), ()),
            mp_max=5 if sheet.side == Side.PC else 0,
        )
        for sheet in BRIDGE.combatants
    )
    setup = replace(BRIDGE, combatants=people, variant=variant or Variant())
    start = states.opening(setup)
    return replace(
        start, order=(AKI, WOLF, SLINGER, BRUTE, MIO, REN), phase=sheets.Phase.COMBAT
    )


def hit(state: State, who: int, target: int, *answers: Any) -> Any:
    """One normal attack."""
    return tk.play(attacks.attack_once, state, who, target, answers=answers)


def codes(menu: Menu[Any], value: Any) -> list[str]:
    return [reason.code for reason in menu.why_not(value)]


def kinds(played: Any) -> list[str]:
    return [type(event).__name__ for event in played.events]


# ---- when attacked -----------------------------------------------------------------


def test_FM_TIME_04_an_answer_comes_before_the_dice_and_costs_no_action() -> None:
    played = hit(knowing(ren=(PARRY,)), SLINGER, REN, Use("parry", "Ren"), SEVEN)
    assert kinds(played) == ["UsedFreely", "Gained", "Hit"]
    assert played.result.hp[REN] == 12 - (4 + 7 - 2 - 3)
    assert played.result.acted == (SLINGER,)
    assert played.result.lasting == played.result.used == ()


def test_FM_EDGE_23_once_for_each_attack_and_each_target_of_a_row() -> None:
    state = knowing(ren=(PARRY,))
    parry = Use("parry", "Ren")
    first = hit(state, SLINGER, REN, parry, FOUR).result
    second = hit(first, SLINGER, REN, parry, FOUR).result
    assert second.hp[REN] == 12 - 2 * (4 + 4 - 2 - 3)
    about = Attacked(SLINGER, used=("parry",))
    assert codes(Reactions(state, REN, about), parry) == ["answered"]
    assert codes(Reactions(state, REN, Attacked(SLINGER)), parry) == []

    storm = striking(
        "storm", Timing.STANDARD, target=Target.ROW, value=Amount(constant=7)
    )
    row = knowing(ren=(PARRY,), mio=(PARRY,), slinger=(storm,))
    cast = tk.play(
        magic.use,
        row,
        SLINGER,
        Use("storm", "PC back"),
        answers=[parry, Use("parry", "Mio")],
    ).result
    assert cast.hp[REN] == 12 - (7 - 2 - 3) and cast.hp[MIO] == 10 - (7 - 1 - 3)
    only_one = tk.play(
        magic.use, row, SLINGER, Use("storm", "PC back"), answers=[ENOUGH, ENOUGH]
    ).result
    assert only_one.hp[REN] == 12 - 5 and only_one.hp[MIO] == 10 - 6


def test_FM_EDGE_42_the_declared_attack_goes_on_and_may_be_followed_up() -> None:
    state = knowing(ren=(GLARE,), brute=(ARROW,))
    answers = (Use("glare", "Slinger"), SEVEN, Use("arrow", "Ren"), ENOUGH)
    played = hit(state, SLINGER, REN, *answers)
    assert not played.result.is_able(SLINGER)
    assert played.result.hp[REN] == 12 - (4 + 7 - 2) - (5 - 2)
    assert played.result.used == ((BRUTE, "arrow"),)


def test_an_attacker_felled_in_the_window_still_makes_the_attack() -> None:
    state = knowing(ren=(COUNTER,)).hurt(SLINGER, 8)
    played = hit(state, SLINGER, REN, Use("counter", "Slinger"), SEVEN)
    assert played.result.hp[SLINGER] == 0 and played.result.hp[REN] == 12 - 9


def test_nothing_is_rolled_once_the_battle_is_decided() -> None:
    state = knowing(ren=(COUNTER,)).hurt(SLINGER, 8).hurt(BRUTE, 14).hurt(WOLF, 8)
    played = hit(state, SLINGER, REN, Use("counter", "Slinger"))
    assert turns.is_decided(played.result) and played.rolls == []
    assert played.result.hp[REN] == 12


def test_who_has_left_in_the_window_is_not_struck_but_the_attack_was_made() -> None:
    gone = ability("gone", Timing.WHEN_ATTACKED, Escape(), target=Target.SELF)
    state = knowing(ren=(gone,), brute=(ARROW,))
    played = hit(state, SLINGER, REN, Use("gone", "Ren"), Use("arrow", "Aki"))
    assert played.rolls == [] and played.result.acted == (SLINGER,)
    assert kinds(played) == [
        "UsedFreely",
        "Escaped",
        "NobodyLeft",
        "UsedFreely",
        "Struck",
    ]
    assert NobodyLeft(SLINGER) in played.events


def test_answers_answered_come_to_an_end() -> None:
    state = knowing(ren=(COUNTER,), slinger=(COUNTER,))
    ren, slinger = Use("counter", "Ren"), Use("counter", "Slinger")
    played = hit(state, SLINGER, REN, slinger, ren, SEVEN)
    assert played.result.hp[SLINGER] == 9 - (5 - 1)
    assert played.result.hp[REN] == 12 - (5 - 2) - (4 + 7 - 2)
    assert played.result.used == ()
    first = tk.simulate(state.setup, 3, tk.first_legal, seed=1)
    assert first["ending"].null_count() == 0


def test_the_window_closes_when_its_target_has_fallen_or_left() -> None:
    counter = replace(COUNTER, value=Amount(constant=20), usable_when_unable=True)
    state = knowing(ren=(COUNTER, replace(GLARE, usable_when_unable=True)))
    people = list(state.setup.combatants)
    people[SLINGER] = replace(people[SLINGER], abilities=(counter,))
    state = replace(state, setup=replace(state.setup, combatants=tuple(people)))
    answers = (Use("counter", "Slinger"), Use("counter", "Ren"), ENOUGH)
    played = hit(state, SLINGER, REN, *answers)
    assert played.result.hp[REN] == 0 and played.rolls == []
    assert played.events[-1] == NobodyLeft(SLINGER)


@pytest.mark.parametrize("ailment", [abilities.ASLEEP, abilities.STOPPED])
def test_FM_TIME_12_who_cannot_act_is_not_asked(ailment: Ailment) -> None:
    state = knowing(ren=(PARRY,)).gains(REN, ailment)
    assert hit(state, SLINGER, REN, SEVEN).result.hp[REN] == 3
    reasons = codes(Reactions(state, REN, Attacked(SLINGER)), Use("parry", "Ren"))
    assert reasons == ["unable"]
    own_words = knowing(ren=(replace(PARRY, usable_when_unable=True),))
    awake_to_it = hit(own_words.gains(REN, ailment), SLINGER, REN, ENOUGH, SEVEN)
    assert awake_to_it.result.hp[REN] == 3  # it was asked


def test_FM_EDGE_28_who_is_taken_by_surprise_answers_nothing() -> None:
    state = replace(knowing(ren=(PARRY,)), ambush=Side.ENEMY, held=True)
    assert hit(state, SLINGER, REN, SEVEN).result.hp[REN] == 3
    assert codes(Reactions(state, REN, Attacked(SLINGER)), Use("parry", "Ren")) == [
        "held"
    ]


def test_poison_is_no_attack() -> None:
    poison = Ailment("poison", turn_end_damage=5)
    state = knowing(ren=(PARRY, GLARE), mio=(ARROW,)).gains(REN, poison)
    assert tk.play(turn_end.suffer, state, REN).result.hp[REN] == 7


def test_FM_EDGE_26_the_confused_act_and_use_skills() -> None:
    state = knowing(ren=(PARRY,)).gains(REN, abilities.CONFUSED)
    played = hit(state, SLINGER, REN, Use("parry", "Ren"), SEVEN)
    assert played.result.hp[REN] == 12 - 6
    assert codes(turns.Actions(state, REN), Attack("Brute")) == []


@pytest.mark.parametrize("state_of_ren", ["asleep", "stopped", "down"])
def test_FM_EDGE_25_what_is_always_in_force_needs_nobody_able(
    state_of_ren: str,
) -> None:
    skin = ability("skin", Timing.ALWAYS, Buff("magic_defense", 2), target=Target.SELF)
    state = knowing(ren=(skin,))
    if state_of_ren == "down":
        state = state.hurt(REN, 12)
    else:
        named = {"asleep": abilities.ASLEEP, "stopped": abilities.STOPPED}
        state = state.gains(REN, named[state_of_ren])
    assert not state.is_able(REN)
    assert state.total(REN, "magic_defense") == 3 + 2


# ---- cooperation -------------------------------------------------------------------


def test_FM_EDGE_43_who_is_attacked_asks_and_who_sleeps_cannot() -> None:
    state = knowing(aki=(COVER,)).done(AKI)
    request = Request("Aki", "cover", "Mio")
    played = hit(state, SLINGER, MIO, request, SEVEN)
    assert kinds(played) == ["Asked", "Used", "Gained", "Hit"]
    assert played.events[0] == Asked(MIO, AKI, "cover")
    assert played.result.hp[MIO] == 10 - (4 + 7 - 1 - 4)
    assert played.result.mp[AKI] == 3 and played.result.acted == (AKI, SLINGER)
    sleeping = state.gains(MIO, abilities.ASLEEP)
    assert hit(sleeping, SLINGER, MIO, SEVEN).result.hp[MIO] == 0
    assert codes(Reactions(sleeping, MIO, Attacked(SLINGER)), request) == ["unable"]


def test_FM_TIME_05_once_a_turn_and_again_in_the_next() -> None:
    state = knowing(aki=(COVER,))
    request = Request("Aki", "cover", "Ren")
    asked = tk.play(turns.act, state, MIO, answers=[request, Pass()]).result
    assert asked.acted == (MIO,) and asked.used == ((AKI, "cover"),)
    assert codes(turns.Actions(asked, REN), request) == ["used_up"]
    everyone = replace(asked, acted=tuple(range(6)))
    turn_two = tk.play(turns.end_turn, everyone).result
    assert codes(turns.Actions(turn_two, REN), request) == []


def test_FM_TIME_05_who_may_ask_whom() -> None:
    state = knowing(aki=(COVER,))

    def why(who: int, at: State = state, target: str = "Mio") -> list[str]:
        return codes(turns.Actions(at, who), Request("Aki", "cover", target))

    assert why(MIO) == []
    assert why(AKI) == ["oneself"]
    assert why(BRUTE) == ["not_the_party"]
    assert why(MIO, state.gains(AKI, abilities.STOPPED)) == ["unable"]
    assert why(MIO, state.hurt(AKI, 16)) == ["unconscious"]
    assert why(MIO, state.paid(AKI, 4)) == ["no_mp"]
    assert why(MIO, target="Wolf") == ["not_own"]
    assert why(MIO, state.hurt(MIO, 10))[0] == "unconscious"
    menu = turns.Actions(state, MIO)
    assert codes(menu, Request("Ren", "cover", "Mio")) == ["no_such_helper"]
    assert codes(menu, Request("Aki", "arrow", "Mio")) == ["no_such_ability"]
    assert next(iter(menu.values(Request))) == Request("Aki", "cover", "Mio")
    assert {answer.target for answer in menu.values(Request)} == {"Aki", "Ren", "Mio"}


def test_without_a_request_nobody_uses_cooperation() -> None:
    state = knowing(aki=(COVER,))
    assert codes(turns.Actions(state, AKI), Use("cover", "Aki")) == ["no_such_ability"]
    assert hit(state, SLINGER, AKI, SEVEN).result.hp[AKI] == 16 - 8  # he is not asked


# ---- follow-up ---------------------------------------------------------------------


def test_FM_EDGE_27_a_fumble_is_followed_up_by_others_only() -> None:
    arrow = Use("arrow", "Brute")
    played = hit(knowing(mio=(ARROW,)), AKI, BRUTE, FUMBLE, arrow)
    assert kinds(played) == ["Missed", "UsedFreely", "Struck"]
    assert played.result.hp[BRUTE] == 14 - (5 - 4)
    own = hit(knowing(mio=(ARROW,)), MIO, BRUTE, FUMBLE)
    assert kinds(own) == ["Missed"]
    assert kinds(hit(knowing(brute=(ARROW,)), AKI, BRUTE, FUMBLE)) == ["Missed"]


def test_FM_EDGE_16_a_blade_on_fire_is_followed_up_like_any_other() -> None:
    state = knowing(mio=(ARROW,)).imbue(AKI, Element.FIRE)
    played = hit(state, AKI, BRUTE, FOUR, Use("arrow", "Brute"))
    assert played.result.hp[BRUTE] == 14 - (6 + 4 - 1) - (5 - 4)
    assert played.result.mp[AKI] == 5


def test_FM_TIME_06_in_action_order_once_a_turn_each() -> None:
    state = knowing(ren=(ARROW,), mio=(ARROW,))
    arrow = Use("arrow", "Brute")
    played = hit(state, AKI, BRUTE, FUMBLE, arrow, arrow)
    users = [
        event.who
        for event in played.events
        if isinstance(event, magic.Used | magic.UsedFreely)
    ]
    assert users == [MIO, REN]
    assert kinds(hit(played.result, AKI, BRUTE, FUMBLE)) == ["Missed"]  # used up
    reasons = codes(FollowUps(played.result, MIO, AKI), arrow)
    assert reasons == ["used_up"]


def test_FM_TIME_06_attack_magic_chains_and_a_skill_does_not() -> None:
    chain = knowing(ren=(SPARK,), mio=(DART,))
    spark, dart = Use("spark", "Brute"), Use("dart", "Brute")
    played = hit(chain, AKI, BRUTE, FUMBLE, ENOUGH, spark, dart)
    users = [
        event.who
        for event in played.events
        if isinstance(event, magic.Used | magic.UsedFreely)
    ]
    assert users == [REN, MIO]
    skills = knowing(ren=(ARROW,), mio=(DART,))
    kept = hit(skills, AKI, BRUTE, FUMBLE, ENOUGH, Use("arrow", "Brute"))
    assert kept.result.used == ((REN, "arrow"),)


def test_FM_TIME_06_support_magic_is_not_followed_up() -> None:
    herb = ability(
        "herb",
        Timing.STANDARD,
        Heal(),
        target=Target.ALLY,
        value=Amount(constant=4),
        kind=AbilityKind.MAGIC,
    )
    state = knowing(aki=(herb,), mio=(ARROW,)).hurt(REN, 5)
    played = tk.play(magic.use, state, AKI, Use("herb", "Ren"))
    assert kinds(played) == ["UsedFreely", "Healed"]
    bolt = striking("bolt", Timing.STANDARD, kind=AbilityKind.MAGIC)
    state = knowing(aki=(bolt,), mio=(ARROW,))
    answers = [Use("arrow", "Brute")]
    shot = tk.play(magic.use, state, AKI, Use("bolt", "Brute"), answers=answers)
    assert kinds(shot) == ["UsedFreely", "Struck", "UsedFreely", "Struck"]


def test_FM_TIME_06_a_decided_battle_is_not_followed_up() -> None:
    state = knowing(mio=(ARROW,), ren=(ARROW,)).hurt(WOLF, 8).hurt(SLINGER, 9)
    felled = hit(state.hurt(BRUTE, 13), AKI, BRUTE, SEVEN)
    assert turns.is_decided(felled.result) and felled.result.used == ()
    one_hp = state.hurt(BRUTE, 13)
    by_mio = hit(one_hp, AKI, BRUTE, FUMBLE, Use("arrow", "Brute"))
    assert by_mio.result.used == ((MIO, "arrow"),)  # and Ren is not asked


def test_who_has_left_follows_nothing_up() -> None:
    state = knowing(mio=(replace(ARROW, usable_when_unable=True),)).left(MIO)
    assert kinds(hit(state, AKI, BRUTE, FUMBLE)) == ["Missed"]
    flit = ability("flit", Timing.FOLLOW_UP, Escape(), target=Target.SELF)
    state = knowing(mio=(flit, replace(ARROW, usable_when_unable=True)))
    leaves = hit(state, AKI, BRUTE, FUMBLE, Use("flit", "Mio"))
    assert kinds(leaves) == ["Missed", "UsedFreely", "Escaped"]


# ---- instants, specials, all nine --------------------------------------------------


def test_FM_EDGE_40_instants_come_before_the_action() -> None:
    fury = ability(
        "fury",
        Timing.INSTANT,
        Buff("attack_power", 2, turns=0),
        target=Target.SELF,
        mp_cost=2,
    )
    state = knowing(aki=(fury,))
    rage, strike = Use("fury", "Aki"), Attack("Brute")
    answers = [rage, rage, strike, SEVEN]
    played = tk.play(turns.act, state, AKI, answers=answers).result
    assert played.hp[BRUTE] == 14 - (6 + 4 + 7 - 4) and played.mp[AKI] == 1
    game = tk.Game(state.setup, throws=False, at=state)
    game.answer(strike).answer(faces=SEVEN)
    assert isinstance(game.ask, Menu) and game.ask.who == WOLF


def test_FM_EDGE_24_at_0_HP_only_what_says_so_itself() -> None:
    silent = knowing(mio=(replace(RISE, usable_when_unable=False),))
    played = hit(silent, SLINGER, MIO, SEVEN)
    assert played.result.hp[MIO] == 0 and kinds(played) == ["Hit", "Fell"]
    reasons = codes(Specials(played.result, MIO, MIO), Use("rise", "Mio"))
    assert reasons == ["unconscious"]

    state = knowing(mio=(RISE,))
    risen = hit(state, SLINGER, MIO, SEVEN, Use("rise", "Mio")).result
    assert risen.hp[MIO] == 3 and risen.spent == ((MIO, "rise"),)
    again = hit(risen, SLINGER, MIO, SEVEN)
    assert again.result.hp[MIO] == 0  # once a battle


def test_a_decided_battle_asks_for_nothing_special() -> None:
    state = knowing(mio=(RISE,)).hurt(AKI, 16).hurt(REN, 12)
    over = hit(state, SLINGER, MIO, SEVEN)
    assert turns.is_decided(over.result) and kinds(over) == ["Hit", "Fell"]


def test_FM_TIME_10_each_special_at_its_own_moment() -> None:
    state = knowing(ren=(GRIEF,), aki=(GRIEF,), mio=(GRIEF, RISE), brute=(GRIEF,))
    played = hit(
        state,
        *(SLINGER, MIO, SEVEN),
        *(Use("rise", "Mio"), Use("grief", "Aki"), Use("grief", "Ren")),
    )
    users = [
        event.who
        for event in played.events
        if isinstance(event, magic.Used | magic.UsedFreely)
    ]
    assert users == [MIO, AKI, REN]  # who fell first, then in action order; no brute
    own = Specials(state, REN, REN).why_not(Use("grief", "Ren"))
    assert [(reason.code, reason.clause) for reason in own] == [
        ("other_moment", "FM-TIME-10")
    ]
    assert own[0].sentence == "It is for when a friend falls."
    assert "other_moment" in codes(Specials(state, MIO, REN), Use("rise", "Mio"))


def test_FM_TIME_01_an_ability_is_counted_by_itself() -> None:
    state = knowing(mio=(ARROW, replace(ARROW, name="stone")))
    arrow, stone = Use("arrow", "Brute"), Use("stone", "Brute")
    played = hit(state, AKI, BRUTE, FUMBLE, arrow, stone)
    assert played.result.used == ((MIO, "arrow"), (MIO, "stone"))


def test_FM_TIME_01_a_use_counts_though_its_dice_fumble() -> None:
    dice = replace(ARROW, value=Amount(("attack_power",), dice="2D6"))
    played = hit(
        knowing(mio=(dice,)), AKI, BRUTE, FUMBLE, Use("arrow", "Brute"), FUMBLE
    )
    assert played.result.used == ((MIO, "arrow"),) and played.result.hp[BRUTE] == 14


def nine_each() -> Encounter:
    """Two on each side, each with an ability of every timing."""

    def one_of(timing: Timing) -> Ability:
        more: dict[str, Any] = {"name": timing.value, "timing": timing}
        more["mp_cost"] = 0 if timing == Timing.ALWAYS else 1
        if timing == Timing.SPECIAL:
            more |= {"trigger": Trigger.ALLY_FALLS, "usable_when_unable": True}
        if timing in (Timing.ALWAYS, Timing.AT_PREP, Timing.SPECIAL):
            buff = Buff("physical_defense", 1)
            return Ability(target=Target.SELF, effects=(buff,), **more)
        return Ability(
            element=Element.COLD,
            damage=Damage.NORMAL,
            value=Amount(constant=5),
            range=Range(3),
            **more,
        )

    nine = tuple(one_of(timing) for timing in Timing)
    people = tuple(
        replace(BRIDGE.combatants[who], abilities=nine, mp_max=6)
        for who in (AKI, MIO, BRUTE, SLINGER)
    )
    slots = (Slot.PC_FRONT, Slot.PC_BACK, Slot.ENEMY_FRONT, Slot.ENEMY_BACK)
    return Encounter(people, slots)


def test_every_question_is_answered_by_the_policies() -> None:
    setup = nine_each()
    for policy in (tactics.sensible, tk.first_legal, tk.random_legal):
        assert tk.simulate(setup, 5, policy, seed=3)["ending"].null_count() == 0
    odds = tk.odds(setup, states=300, seconds=5, battles=20)
    assert odds.states > 0
    checked = check_system(formation.FORMATION, [setup], battles=6, games=2)
    assert checked.battles == 6


def test_where_each_timing_is_offered() -> None:
    assert reactions.questions(Timing.ALWAYS) == ()
    assert reactions.questions(Timing.COOPERATION) == (turns.Actions, Reactions)
    for timing in Timing:
        has = timing != Timing.ALWAYS
        assert bool(reactions.questions(timing)) == has
        assert reactions.MOMENTS[timing].clause.startswith("FM-TIME-")


def test_a_battle_without_such_abilities_asks_nothing() -> None:
    state = knowing()
    for window in (
        lambda: reactions.follow_up(tk_ask(), state, AKI),
        lambda: reactions.when_attacked(tk_ask(), state, AKI, (BRUTE,)),
        lambda: reactions.fallen(tk_ask(), state, AKI),
    ):
        assert window() is state


def tk_ask() -> Any:
    """A driver that answers nothing."""
    from tabletop_kit.core.asking import Ask

    return Ask()


# ---- for one attack, or for one activation -----------------------------------------

FURY = Buff("attack_power", 5, turns=0)
CRY = ability("war cry", Timing.INSTANT, FURY, target=Target.SELF)
LEND = ability(
    "torch", Timing.INSTANT, abilities.Imbue(Element.FIRE, 0), target=Target.SELF
)
BRACE = replace(PARRY, name="brace")


def test_a_cry_outlasts_a_counter_and_is_over_with_the_activation() -> None:
    state = knowing(aki=(CRY, LEND), wolf=(COUNTER,))
    answers = [Use("war cry", "Aki"), Use("torch", "Aki"), Attack("Wolf")]
    answers.append(Use("counter", "Aki"))
    played = tk.play(turns.act, state, AKI, answers=[*answers, FUMBLE])
    assert played.result.lasting == played.result.imbued == played.result.fading == ()
    blow = tk.play(turns.act, state, AKI, answers=[*answers, FOUR])
    [struck] = [one for one in blow.events if isinstance(one, attacks.Hit)]
    assert struck.attack_power == 5 + state.total(AKI, "attack_power")
    assert struck.element == Element.FIRE


def test_an_element_lent_for_an_activation_is_over_with_it() -> None:
    answers = [Use("torch", "Aki"), Pass()]
    played = tk.play(turns.act, knowing(aki=(LEND,)), AKI, answers=answers)
    assert played.result.imbued == played.result.fading == ()


def test_a_sweep_ends_what_was_given_against_it_and_nothing_else() -> None:
    dodge = ability("dodge", Timing.WHEN_ATTACKED, Escape(), target=Target.SELF)
    cried = knowing(brute=(PARRY, dodge)).gains(AKI, FURY)
    rule = formation.special_weapons.sweep_once
    parry = [Use("parry", "Brute"), ENOUGH, FUMBLE]
    played = tk.play(rule, cried, AKI, "enemy front", answers=parry)
    assert played.result.lasting == cried.lasting
    fled = [Use("parry", "Brute"), Use("dodge", "Brute")]
    played = tk.play(rule, cried.left(WOLF), AKI, "enemy front", answers=fled)
    assert played.result.lasting == cried.lasting


def test_a_cry_is_for_both_blows_of_an_activation() -> None:
    plain = knowing(aki=(CRY,), wolf=(COUNTER, PARRY))
    people = list(plain.setup.combatants)
    people[AKI] = replace(people[AKI], weapon=replace(people[AKI].weapon, attacks=2))
    people[WOLF] = replace(people[WOLF], hp_max=40)
    hp = (*plain.hp[:WOLF], 40, *plain.hp[WOLF + 1 :])
    state = replace(plain, setup=replace(plain.setup, combatants=tuple(people)), hp=hp)
    blow = (Attack("Wolf"), Use("counter", "Aki"), Use("parry", "Wolf"), FOUR)
    answers = [Use("war cry", "Aki"), *blow, *blow]
    played = tk.play(turns.act, state, AKI, answers=answers)
    blows = [one for one in played.events if isinstance(one, attacks.Hit)]
    power = state.total(AKI, "attack_power") + 5
    defense = state.total(WOLF, "physical_defense") + 3
    assert [(one.attack_power, one.defense) for one in blows] == [(power, defense)] * 2
    assert played.result.lasting == ()


def test_a_brace_outlasts_the_counter_to_a_counter() -> None:
    # Wolf braces and counters; Aki counters that, Wolf braces against this too.
    state = knowing(aki=(COUNTER,), wolf=(BRACE, COUNTER))
    answers = [Use("brace", "Wolf"), Use("counter", "Aki"), Use("counter", "Wolf")]
    played = hit(state, AKI, WOLF, *answers, Use("brace", "Wolf"), SEVEN)
    [struck] = [one for one in played.events if isinstance(one, attacks.Hit)]
    assert struck.defense == 3 + state.total(WOLF, "physical_defense")
    assert played.result.lasting == ()


def test_what_an_answer_does_lasts_for_the_attack_it_answers() -> None:
    jab = replace(COUNTER, name="jab", effects=(Buff("attack_power", -2, turns=0),))
    played = hit(knowing(wolf=(jab,)), AKI, WOLF, Use("jab", "Aki"), SEVEN)
    [struck] = [one for one in played.events if isinstance(one, attacks.Hit)]
    assert struck.attack_power == knowing().total(AKI, "attack_power") - 2
    assert played.result.lasting == ()


def test_what_was_given_against_an_attack_that_finds_nobody_is_over() -> None:
    dodge = ability("dodge", Timing.WHEN_ATTACKED, Escape(), target=Target.SELF)
    wary = ability("wary", Timing.WHEN_ATTACKED, Buff("agility", 1, turns=0))
    state = knowing(wolf=(dodge, wary))
    gone = hit(state, AKI, WOLF, Use("wary", "Aki"), Use("dodge", "Wolf"))
    assert gone.result.escaped == (WOLF,) and gone.result.lasting == ()


# ---- several fall at once ----------------------------------------------------------


def test_all_falls_of_a_sweep_are_told_before_anybody_stands_up() -> None:
    both = replace(RISE, target=Target.ALLIES)
    plain = knowing(brute=(both,), wolf=(RISE,))
    people = list(plain.setup.combatants)
    people[AKI] = replace(people[AKI], weapon=replace(people[AKI].weapon, target="row"))
    setup = replace(plain.setup, combatants=tuple(people))
    state = replace(plain, setup=setup).moved(WOLF, plain.slots[BRUTE])
    state = state.hurt(BRUTE, state.hp[BRUTE] - 1).hurt(WOLF, state.hp[WOLF] - 1)
    rule = formation.special_weapons.sweep_once
    answers = [SEVEN, Use("rise", "all")]
    played = tk.play(rule, state, AKI, "enemy front", answers=answers)
    told = [event for event in played.events if not isinstance(event, attacks.Hit)]
    assert told[:2] == [attacks.Fell(BRUTE), attacks.Fell(WOLF)]
    assert played.result.hp[BRUTE] == played.result.hp[WOLF] == 3


def test_each_fall_of_a_sweep_has_its_own_moment() -> None:
    down = knowing(brute=(RISE,), wolf=(RISE,)).hurt(BRUTE, 99).hurt(WOLF, 99)
    answers = [Use("rise", "Brute"), Use("rise", "Wolf")]
    played = tk.play(attacks.falls, down, (BRUTE, WOLF, SLINGER), answers=answers)
    assert played.events[:2] == [attacks.Fell(BRUTE), attacks.Fell(WOLF)]
    assert played.result.hp[BRUTE] == played.result.hp[WOLF] == 3


# ---- the preparation, the turn's end, the place in the order -----------------------


def prepared(known: Mapping[str, tuple[Ability, ...]], *answers: Any) -> State:
    """After the preparation."""
    start = states.opening(knowing(None, **known).setup)
    state: State = tk.play(turns.prepare, start, answers=answers).result
    return state


def test_FM_TIME_10_a_special_used_in_the_preparation_stays_spent() -> None:
    trap = striking("trap", Timing.AT_PREP, value=Amount(constant=99), range=Range(3))
    hymn = ability("hymn", Timing.AT_PREP, Buff("agility", 1), target=Target.SELF)
    known = {"aki": (trap, hymn), "wolf": (RISE, ARROW)}
    answers = [Use("trap", "Wolf"), Use("rise", "Wolf"), Use("hymn", "Aki")]
    ready = prepared(known, *answers)
    assert ready.hp[WOLF] == 3 and ready.spent == ((WOLF, "rise"),)
    again = tk.play(attacks.falls, ready.hurt(WOLF, 99), (WOLF,))
    assert again.result.hp[WOLF] == 0


def test_FM_TIME_06_a_follow_up_of_the_preparation_is_free_in_turn_1() -> None:
    trap = striking("trap", Timing.AT_PREP, range=Range(3), kind=AbilityKind.MAGIC)
    known = {"aki": (trap,), "mio": (ARROW,)}
    ready = prepared(known, Use("trap", "Wolf"), Use("arrow", "Wolf"))
    assert ready.used == ready.spent == ()
    played = hit(ready, AKI, WOLF, FUMBLE, Use("arrow", "Wolf"))
    assert played.result.used == ((MIO, "arrow"),)


def test_what_prepares_for_a_moment_is_gone_with_the_preparation() -> None:
    moment = ability(
        "moment",
        Timing.AT_PREP,
        *(Buff("agility", 9, turns=0), abilities.Imbue(Element.FIRE, 0)),
        target=Target.SELF,
    )
    ready = prepared({"ren": (moment,)}, Use("moment", "Ren"))
    assert ready.lasting == ready.imbued == ready.fading == ()


def test_what_is_given_for_a_moment_at_a_turns_end_is_gone_with_it() -> None:
    dirge = replace(GRIEF, effects=(Buff("agility", 9, turns=0),))
    state = knowing(mio=(dirge,)).hurt(REN, 11)
    order = (MIO, *[one for one in state.order if one != MIO])
    ill = replace(state, order=order).gains(REN, Ailment("ill", turn_end_damage=9))
    played = tk.play(turns.end_turn, ill, answers=[Use("grief", "Mio")])
    assert played.result.hp[REN] == 0
    assert not any(isinstance(one, turn_end.Reordered) for one in played.events)
    assert [type(one.effect) for one in played.result.lasting] == [Ailment]


def test_who_has_left_at_a_turns_end_suffers_and_recovers_no_more() -> None:
    flit = ability(
        "flit",
        Timing.SPECIAL,
        *(Revive(), Escape()),
        trigger=Trigger.OWN_FALL,
        usable_when_unable=True,
        target=Target.SELF,
        value=Amount(constant=3),
    )
    away = ability(
        "away",
        Timing.SPECIAL,
        Escape(),
        trigger=Trigger.ALLY_FALLS,
        target=Target.SELF,
    )
    ill = Ailment("ill", turn_end_damage=9, turns=3)
    state = knowing(wolf=(flit,), brute=(away,)).gains(WOLF, ill).gains(BRUTE, ill)
    for who in (WOLF, BRUTE):
        state = state.gains(who, abilities.Regeneration(2, turns=3))
    answers = [Use("flit", "Wolf"), Use("away", "Brute")]
    played = tk.play(turns.end_turn, state.hurt(BRUTE, 9), answers=answers)
    after = played.result
    assert after.escaped == (BRUTE, WOLF)
    assert after.hp[WOLF] == 3 and after.hp[BRUTE] == state.hp[BRUTE] - 9
    assert {one.turns for one in after.lasting} == {3}
    told = [type(one) for one in played.events]
    assert told.count(turn_end.Suffered) == 1 and turn_end.Recovered not in told


@pytest.mark.parametrize("late", ["act_before_turn_end", "wait_next_turn"])
@pytest.mark.parametrize("how", ["leaves", "falls", "stops"])
def test_FM_EDGE_07_whoever_ends_in_the_middle_of_an_activation(
    late: Any, how: str
) -> None:
    wake = ability(
        "wake", Timing.INSTANT, abilities.Cure(("asleep",)), target=Target.ALLIES
    )
    ends: dict[str, Effect] = {
        "leaves": Escape(),
        "falls": Ailment("ill", turn_end_damage=9),
        "stops": abilities.STOPPED,
    }
    out = ability("out", Timing.INSTANT, ends[how], target=Target.SELF)
    if how == "falls":
        out = striking("out", Timing.INSTANT, value=Amount(constant=1), range=Range(3))
    state = knowing(Variant(late_recovery=late), mio=(wake, out), wolf=(COUNTER,))
    state = state.gains(AKI, abilities.ASLEEP)
    for who in (WOLF, SLINGER, BRUTE):
        assert turns.next_to_act(state) == who
        state = tk.play(turns.advance, state, answers=[Pass()]).result
    assert state.passed == (AKI,) and turns.next_to_act(state) == MIO
    answers = [Use("wake", "all")]
    if how == "falls":
        state = state.hurt(MIO, state.hp[MIO] - 1)
        answers += [Use("out", "Wolf"), Use("counter", "Mio")]
    else:
        answers += [Use("out", "Mio")]
    state = tk.play(turns.advance, state, answers=answers).result
    assert MIO not in state.acted and not state.is_able(MIO)
    assert state.is_able(AKI) and state.passed == (AKI,)
    assert turns.next_to_act(state) == REN  # the order goes on
    state = tk.play(turns.advance, state, answers=[Pass()]).result
    assert turns.next_to_act(state) == (AKI if late == "act_before_turn_end" else None)


def test_FM_TURN_07_the_passed_over_act_late_in_order() -> None:
    state = knowing()
    for who in (WOLF, SLINGER, MIO, REN):
        state = state.gains(who, abilities.ASLEEP)
    for who in (AKI, BRUTE):
        assert turns.next_to_act(state) == who
        state = tk.play(turns.advance, state, answers=[Pass()]).result
    assert state.passed == (WOLF, SLINGER) and turns.next_to_act(state) is None
    late = tk.play(turns.advance, state.cured(SLINGER), answers=[Pass()]).result
    assert late.passed == (REN, MIO, WOLF, SLINGER)
    assert turns.next_to_act(late.cured(WOLF).cured(REN)) == WOLF
    over = tk.play(turns.advance, late).result
    assert over.passed == () and turns.next_to_act(over) == AKI


def test_FM_EDGE_07_who_was_raised_was_passed_over() -> None:
    state = knowing().hurt(WOLF, 99)
    state = tk.play(turns.advance, state, answers=[Pass()]).result
    state = tk.play(turns.advance, state, answers=[Pass()]).result
    assert state.passed == (WOLF,)
    assert turns.next_to_act(state.healed(WOLF, 3)) == BRUTE
    gone = state.healed(WOLF, 3).left(WOLF)
    assert gone.passed == ()
    ended = state.hurt(BRUTE, 99).hurt(SLINGER, 99)
    assert tk.play(turns.advance, ended).result.passed == ()
