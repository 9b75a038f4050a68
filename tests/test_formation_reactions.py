"""Timing classes: who may answer whom, when and how often, by the ledger's edges."""

from __future__ import annotations

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
from tabletop_kit.formation.reactions import (
    Asked,
    Attacked,
    Enough,
    FollowUps,
    NobodyLeft,
    Reactions,
    Request,
    Specials,
    Use,
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
        more: dict[str, Any] = {"name": timing.value, "timing": timing, "mp_cost": 1}
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
