"""Labyrinth Battle, criticals: every row of the table, chained rows, odds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from labyrinth_fights import (
    AS_ITSELF,
    IMPROVISED,
    KETTLE,
    SEVEN,
    SIXES,
    fight,
    foe,
    pc,
    strike,
)
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.menus import Menu
from tabletop_kit.core.playing import Played
from tabletop_kit.core.tables import row
from tabletop_kit.labyrinth_battle import (
    attacks,
    criticals,
    damage,
    result_tables,
    rounds,
)
from tabletop_kit.labyrinth_battle.attacks import Attack, Blow
from tabletop_kit.labyrinth_battle.encounters import PlacedTrap
from tabletop_kit.labyrinth_battle.measures import ActionType, BadStatus, CharacterKind
from tabletop_kit.labyrinth_battle.result_tables import ResultTables
from tabletop_kit.labyrinth_battle.sheets import Hurt, Reduce, Skill, Trap
from tabletop_kit.labyrinth_battle.states import State

IMPORTANT = CharacterKind.IMPORTANT_NPC
HIDE = Skill("hide", ActionType.CONSTANT, Reduce(1))
NO_HOPE = damage.SpendHope(0)


def met(*others: Any, **setup: Any) -> State:
    """Rosa, hostility 1, sword 3, against Gob, level 4, 20 HP, and Bat."""
    rosa = pc("Rosa", hostility=(("Gob", 1),))
    gob = foe("Gob", level=4, hp_max=20, skills=(HIDE,), items=())
    return fight(rosa, gob, foe("Bat"), *others, **setup)


def critical(state: State, *answers: Any, held_back: bool = False) -> Played:
    return strike(state, 0, 1, SIXES, *answers, held_back=held_back)


def lost(played: Played) -> int:
    hp: int = played.result.hp[1]
    return 20 - hp


# ---- the rows ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "power"),
    [
        (((1, 1),), 3),
        (((1, 2),), 3),
        (((1, 3),), 3),
        (((2, 3),), 3 * 2),
        (((3, 3), criticals.Hurl(6)), 3),
        ((SEVEN, (5,)), 3 + 5),
        (((4, 4),), 3 + 4),
        (((4, 5), criticals.DealDamage()), 3),
        (((5, 6), (2, 4)), 3 + 6),
    ],
)
def test_LB_CRIT_01_what_each_row_makes_of_the_power(
    answers: tuple[Any, ...], power: int
) -> None:
    assert lost(critical(met(), *answers)) == power + 1 - 1  # hostility, hide


def test_row_2_raises_the_level_of_a_weapon_that_has_one() -> None:
    state = met()
    once = critical(state, (1, 1)).result
    assert once.raised == ((state.carried[0][0], 1),)
    again = critical(replace(once, acted=()), (1, 1)).result
    assert again.raised == ((state.carried[0][0], 2),)
    kettle = fight(pc("Rosa", items=(KETTLE,)), foe("Gob", hp_max=20))
    assert strike(kettle, 0, 1, SIXES, (1, 1), use=IMPROVISED).result.raised == ()


def whole_turn(state: State, *answers: Any) -> Played:
    """Rosa's action, and those that follow it in the same turn."""

    def acts(ask: Any, state: State) -> State:
        state = rounds.act(ask, state, 0)
        while state.again is not None:
            state = rounds.one_more(ask, state, state.again)
        return state

    return tk.play(acts, state, answers=answers)


def test_row_3_gives_one_more_action_and_no_step() -> None:
    attack = Attack("sword", AS_ITSELF, "Gob")
    played = whole_turn(met(), attack, SIXES, (1, 2), attack, SEVEN)
    assert lost(played) == 3 + 3 and played.result.acted == (0,)
    thrice = [attack, SIXES, (1, 2), attack, SIXES, (2, 1), attack, SEVEN]
    assert lost(whole_turn(met(), *thrice)) == 9
    passed = whole_turn(met(), attack, SIXES, (1, 2), rounds.Pass())
    assert lost(passed) == 3 and passed.result.acted == (0,)
    one = two_sixes_once(met())
    assert one.acted == () and one.areas == met().areas and one.again == 0


def two_sixes_once(state: State) -> State:
    after: State = critical(state, (1, 2)).result
    return after


def test_row_3_is_lost_when_the_battle_is_over() -> None:
    state = fight(pc("Rosa"), foe("Gob", hp=3))
    assert strike(state, 0, 1, SIXES, (1, 2)).result.acted == (0, 1)


def test_LB_EDGE_63_the_obese_may_lose_the_extra_action() -> None:
    state = met().gains(0, BadStatus.OBESITY)
    attack = Attack("sword", AS_ITSELF, "Gob")
    low = state.with_hp(0, 1)
    fallen = whole_turn(low, attack, SIXES, (1, 2), SEVEN)
    assert fallen.result.incapacitated == (0,) and lost(fallen) == 3
    answers = [attack, SIXES, (1, 2), attack, SEVEN]
    paid = whole_turn(state, *answers)
    assert paid.result.hp[0] == 12 - 2  # once for each


def test_row_4_curses_before_the_damage() -> None:
    played = critical(met(), (1, 3))
    assert played.result.has(1, BadStatus.CURSE)


def test_LB_EDGE_23_the_penalty_is_doubled_with_the_power() -> None:
    assert lost(critical(met(), (2, 3), held_back=True)) == (3 - 2) * 2 + 1 - 1


def test_row_6_moves_the_target_and_sets_off_what_lies_there() -> None:
    pit = PlacedTrap(Trap("pit", Hurt("1D6")), 2)
    played = critical(met(traps=(pit,)), (3, 3), criticals.Hurl(2), (5,))
    assert played.result.areas[1] == 2
    assert lost(played) == (5 - 1) + 3
    deadly = met(traps=(pit,)).with_hp(1, 2)
    gone = critical(deadly, (3, 3), criticals.Hurl(2), (5,))
    assert gone.result.dead == (1,)
    assert not [e for e in gone.events if isinstance(e, damage.Hit)]


def test_row_6_may_leave_the_target_where_it_is() -> None:
    pit = PlacedTrap(Trap("pit", Hurt("1D6")), 4)
    played = critical(met(traps=(pit,)), (3, 3), criticals.Hurl(4))
    assert played.result.areas == met().areas and lost(played) == 3


def test_row_9_sets_hp_only_if_wanted() -> None:
    assert critical(met(), (4, 5), criticals.SetHP(), (4,)).result.hp[1] == 4
    assert lost(critical(met(), (4, 5), criticals.DealDamage())) == 3


def test_LB_EDGE_26_a_sleeper_whose_hp_are_set_sleeps_on() -> None:
    asleep = met().gains(1, BadStatus.SLEEP)
    set_to_4 = critical(asleep, (4, 5), criticals.SetHP(), (4,)).result
    assert set_to_4.hp[1] == 4 and set_to_4.is_asleep(1)
    assert not critical(asleep, (4, 5), criticals.DealDamage()).result.is_asleep(1)


def test_row_10_takes_a_skill_for_the_battle() -> None:
    played = critical(met(), (4, 6), criticals.Forget("hide"))
    assert lost(played) == 3 + 1
    assert played.result.reduction(1) == 0
    once_more = criticals.Losses(played.result, 0, Blow(0, 1, 0, 3, 3))
    why = once_more.why_not(criticals.Forget("hide"))
    assert [reason.code for reason in why] == ["forgotten"]
    nothing_left = critical(replace(played.result, acted=()), (4, 6))
    assert any(isinstance(e, criticals.NothingComes) for e in nothing_left.events)


def test_row_10_on_a_hidden_sheet_is_for_the_game_master() -> None:
    state = met(unidentified=("Gob",))
    asked: list[Any] = []

    def policy(menu: Menu[Any]) -> Any:
        if isinstance(menu, criticals.Losses):
            asked.append(menu.who)
        return next(menu.values())

    only = state.setup.tables.with_rows("critical", [row("2–12", "suppress_skill")])
    hidden = replace(state, setup=replace(state.setup, tables=only))
    blow = attacks.aimed(hidden, 0, "sword", AS_ITSELF, 1, False)
    tk.outcomes(criticals.critical, hidden, blow, policy=policy)
    assert set(asked) == {"gm"}
    told = [
        e
        for e in critical(state, (4, 6), criticals.Forget("hide")).events
        if isinstance(e, criticals.Forgot)
    ]
    seen = told[0].seen_by(state.knower("court"))
    assert isinstance(seen, criticals.Forgot) and seen.skill is None


def test_row_8_does_not_tell_a_hidden_level() -> None:
    state = met(unidentified=("Gob",))
    knows = state.knower("court")
    events = critical(state, (4, 4)).events
    told = [e for e in events if isinstance(e, criticals.StrongerByLevel)]
    seen = told[0].seen_by(knows)
    assert isinstance(seen, criticals.StrongerByLevel)
    assert seen.level is None and seen.power is None


def test_LB_EDGE_24_row_12_held_back_spares_a_monster() -> None:
    held = critical(met(), SIXES, held_back=True).result
    assert held.hp[1] == 0 and held.incapacitated == (1,) and held.dead == ()
    assert critical(met(), SIXES).result.dead == (1,)


def test_LB_EDGE_25_row_12_deals_no_damage_as_well() -> None:
    queen = foe("Queen", IMPORTANT)
    state = fight(pc("Rosa"), queen, foe("Bat"))
    played = strike(state, 0, 1, SIXES, SIXES, SEVEN)  # fatal wound, row 7
    assert played.result.hp[1] == 0
    assert played.result.incapacitated == (1,) and played.result.dead == ()


def test_LB_EDGE_58_row_12_on_the_incapacitated() -> None:
    lying = met().with_hp(1, -2).falls(1)
    killed = critical(lying, SIXES)
    assert killed.result.dead == (1,)
    spared = critical(lying, SIXES, held_back=True).result
    assert spared.incapacitated == (1,) and spared.hp[1] == -2 - (3 - 2 + 1 - 1)


def test_LB_EDGE_62_where_hp_are_set_nobody_hopes() -> None:
    gob = foe("Gob", level=4, hp_max=20)
    state = fight(pc("Rosa", hope=2), gob, foe("Bat"))
    assert strike(state, 0, 1, SIXES, SIXES).result.hope[0] == 2
    used = strike(state, 0, 1, SIXES, (4, 5), criticals.SetHP(), (6,))
    assert used.result.hope[0] == 2 and used.result.hp[1] == 6
    hoping = damage.SpendHope(1)
    dealt = strike(state, 0, 1, SIXES, (4, 5), criticals.DealDamage(), hoping, (6,))
    assert dealt.result.hope[0] == 1 and dealt.result.hp[1] == 20 - 9


# ---- tables of one's own -----------------------------------------------------------


def with_rows(*rows: Any) -> State:
    state = met()
    tables = ResultTables().with_rows("critical", rows)
    return replace(state, setup=replace(state.setup, tables=tables))


def test_a_row_may_ask_for_further_rolls() -> None:
    chained = with_rows(
        row("2–6", "add_power_dice", dice=1, again=1), row("7–12", "nothing")
    )
    played = critical(chained, (1, 1), (4,), (2, 2), (3,), SEVEN)
    assert lost(played) == 3 + 4 + 3
    blow = attacks.aimed(chained, 0, "sword", AS_ITSELF, 1, False)
    found = tk.outcomes(criticals.critical, chained, blow)
    plain = found.chance(lambda pair: pair[1].power == 3)
    assert plain == Fraction(21, 36)
    assert found.chance(lambda pair: pair[1].power == 4) == Fraction(15 * 21, 36**2 * 6)


def test_rows_ask_for_ten_rolls_at_most() -> None:
    endless = with_rows(
        row("2–11", "add_power_dice", dice=1, again=1), row(12, "nothing")
    )
    played = critical(endless, *[SEVEN, (1,)] * 10)
    assert lost(played) == 3 + 10


def test_set_hp_never_raises_hp() -> None:
    to_5 = with_rows(row("2–12", "set_hp", hp=5))
    assert critical(to_5, SEVEN).result.hp[1] == 5
    low = to_5.with_hp(1, 4)
    assert critical(low, SEVEN).result.hp[1] == 4 - 3


def test_every_effect_of_the_table_is_known() -> None:
    known = {effect.id for effect in result_tables.CRITICAL_EFFECTS}
    assert known == set(criticals.EFFECTS)
