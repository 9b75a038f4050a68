"""Bad statuses: who gets one, what it costs, who wakes, what cures it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.playing import Played
from tabletop_kit.labyrinth_battle import (
    attacks,
    bad_statuses,
    battles,
    breakthroughs,
    checks,
    endings,
    fumbles,
    ghosts,
    moving,
    rounds,
    states,
    tactics_check,
    targets,
    using,
    wounds,
)
from tabletop_kit.labyrinth_battle.bad_statuses import (
    Afflicted,
    AfflictedBefore,
    FallAsleep,
    FellAsleep,
    OutOfBreath,
    PoisonBites,
    ShakeOff,
    ShookOff,
    Sleeps,
)
from tabletop_kit.labyrinth_battle.checks import CheckResult
from tabletop_kit.labyrinth_battle.measures import (
    BadStatus,
    CharacterKind,
    Side,
    WeaponKind,
)
from tabletop_kit.labyrinth_battle.sheets import Combatant, Item
from tabletop_kit.labyrinth_battle.states import State

CELLAR, DUEL = battles.samples["cellar"], battles.samples["duel"]
PIM, ODILE, BRANNOC, SNUB, RATTLE, SLIME = range(6)
COURT, FOE = Side
POISON, DISTRACTION, OBESITY, CURSE, SLEEP, FOOLISH = BadStatus
BEGUN = replace(states.opening(CELLAR), phase="turns", first=COURT)
BEGUN = replace(BEGUN, suppressed=((BRANNOC, "step between"),))
ALONE = replace(states.opening(DUEL), phase="turns", first=COURT).put(1, 3)
HERO, GOBLIN = 0, 1
SWORD = attacks.Attack("short sword", targets.Use.AS_ITSELF, "Cellar Goblin")
HELP = using.Cooperate("Odile", "hit")
DOWN = (3, 4)  # the fatal wound table, row 7


def inflicts(state: State, who: int, status: BadStatus, *answers: Any) -> Played:
    return tk.play(bad_statuses.inflict, state, who, status, answers=answers)


def ends(state: State, *answers: Any) -> Played:
    return tk.play(rounds.end_round, state, answers=answers)


def acts(state: State, who: int, *answers: Any) -> Played:
    """An action, and the one more that it may have brought."""

    def action(ask: Any, state: State) -> State:
        state = rounds.act(ask, state, who)
        while state.again is not None:
            state = rounds.one_more(ask, state, state.again)
        return state

    return tk.play(action, state, answers=answers)


def ruled(state: State, **rules: Any) -> State:
    variant = replace(state.setup.variant, **rules)
    return replace(state, setup=replace(state.setup, variant=variant))


def resheeted(state: State, who: int, **fields: Any) -> State:
    people = list(state.setup.combatants)
    people[who] = replace(people[who], **fields)
    return replace(state, setup=replace(state.setup, combatants=tuple(people)))


@pytest.mark.parametrize("status", [POISON, DISTRACTION, OBESITY, CURSE, FOOLISH])
def test_a_status_is_there_or_not(status: BadStatus) -> None:
    once = inflicts(BEGUN, PIM, status)
    assert once.result == BEGUN.gains(PIM, status)
    assert once.events == [Afflicted(PIM, status)]
    twice = inflicts(once.result, PIM, status)
    assert twice.result == once.result
    assert twice.events == [AfflictedBefore(PIM, status)]


def test_the_dead_and_the_absent_get_none() -> None:
    dead = BEGUN.dies(PIM)
    assert inflicts(dead, PIM, CURSE).result == dead
    assert inflicts(dead, PIM, SLEEP).result == dead
    away = BEGUN.put(PIM, 0)
    assert inflicts(away, PIM, CURSE).result == away
    assert not BEGUN.gains(PIM, CURSE).dies(PIM).statuses


def test_the_incapacitated_may_be_poisoned() -> None:
    down = BEGUN.with_hp(PIM, 0).falls(PIM)
    assert inflicts(down, PIM, POISON).result.has(PIM, POISON)


def test_poison_ticks_once_a_round_on_everybody_alive() -> None:
    state = BEGUN
    for who in (PIM, SNUB, RATTLE, SLIME):
        state = state.gains(who, POISON)
    state = replace(state.put(SLIME, 0), dead=(RATTLE,))
    played = tk.play(bad_statuses.round_end, state)
    assert [played.result.hp[who] for who in (PIM, SNUB, RATTLE, SLIME)] == [
        11,
        6,
        5,
        9,
    ]
    assert [e.who for e in played.events if isinstance(e, PoisonBites)] == [PIM, SNUB]
    assert tk.play(bad_statuses.round_end, BEGUN).result == BEGUN


def test_LB_EDGE_14_no_poison_in_an_ambush() -> None:
    state = replace(BEGUN.gains(PIM, POISON), phase="ambush", first=None)
    state = replace(state, acted=(SNUB, RATTLE, SLIME))
    played = tk.play(rounds.advance, state)
    assert not [e for e in played.events if isinstance(e, PoisonBites)]
    assert played.result.hp == state.hp and played.result.phase == "tactics"
    assert played.result.acted == ()


def test_LB_EDGE_15_poison_kills_the_incapacitated() -> None:
    down = BEGUN.with_hp(ODILE, -1).falls(ODILE).gains(ODILE, POISON)
    ended = ends(down, ghosts.Rest())
    assert ended.result.dead == (ODILE,) and not ended.rolls


def test_LB_EDGE_16_armour_keeps_the_poison_off() -> None:
    down = BEGUN.with_hp(BRANNOC, 0).falls(BRANNOC).gains(BRANNOC, POISON)
    ended = ends(down)
    assert ended.result.dead == () and ended.result.hp[BRANNOC] == 0
    sleeper = BEGUN.gains(BRANNOC, SLEEP).gains(BRANNOC, POISON).done(BRANNOC)
    assert ends(sleeper).result.is_asleep(BRANNOC)
    assert ends(sleeper).result.acted == (BRANNOC,)


def test_LB_EDGE_17_a_poisoned_sleeper_wakes_before_the_refresh() -> None:
    dozing = BEGUN.gains(ODILE, SLEEP).done(ODILE)
    woken = ends(dozing.gains(ODILE, POISON)).result
    assert woken.acted == () and woken.hp[ODILE] == 10 and not woken.is_asleep(ODILE)
    assert ends(dozing).result.acted == (ODILE,)


def test_LB_EDGE_18_shaking_off_may_cost_the_last_hp() -> None:
    weary = replace(BEGUN.with_hp(PIM, 3), slept=(PIM,))
    played = inflicts(weary, PIM, SLEEP, ShakeOff(), (5,), (4, 4), (1,))
    assert played.result.hp[PIM] == -2 and played.result.incapacitated == (PIM,)
    assert not played.result.is_asleep(PIM)
    armoured = replace(BEGUN, slept=(BRANNOC,))
    lost = inflicts(armoured, BRANNOC, SLEEP, ShakeOff(), (5,)).result
    assert lost.hp[BRANNOC] == 13 - 5


def test_LB_EDGE_19_the_count_is_kept_for_the_battle() -> None:
    first = inflicts(BEGUN, ODILE, SLEEP)
    assert first.events == [FellAsleep(ODILE)] and first.result.slept == (ODILE,)
    woken = tk.play(wounds.take_damage, first.result, ODILE, 1).result
    assert not woken.is_asleep(ODILE)
    second = inflicts(woken, ODILE, SLEEP, ShakeOff(), (4,))
    assert ShookOff(ODILE) in second.events and not second.result.is_asleep(ODILE)
    won = first.result.dies(SNUB).dies(RATTLE).dies(SLIME)
    over = tk.play(endings.close, won).result
    assert over.slept == () and not over.is_asleep(ODILE)


def test_shaking_off_is_decided_before_the_roll() -> None:
    before = replace(BEGUN, slept=(ODILE,))
    lets_it = inflicts(before, ODILE, SLEEP, FallAsleep())
    assert lets_it.result.is_asleep(ODILE) and not lets_it.rolls
    assert next(Sleeps(before, ODILE).values()) == FallAsleep()
    assert Sleeps(before, ODILE).asks.startswith("Sleep comes again")
    shaken = inflicts(before, ODILE, SLEEP, ShakeOff(), (4,))
    assert shaken.result == before.with_hp(ODILE, 7)
    costs = tk.outcomes(bad_statuses.shaken)
    assert costs.chance(lambda lost: lost == 6) == Fraction(1, 6)


def test_a_sleeper_is_not_asked() -> None:
    asleep = inflicts(BEGUN, ODILE, SLEEP).result
    again = inflicts(asleep, ODILE, SLEEP)
    assert again.result == asleep and again.events == [AfflictedBefore(ODILE, SLEEP)]


def test_somebody_asleep_from_the_start_was_no_target_yet() -> None:
    drowsy = resheeted(BEGUN, ODILE, statuses=(SLEEP,))
    state = replace(states.opening(drowsy.setup), suppressed=BEGUN.suppressed)
    woken = tk.play(wounds.take_damage, state, ODILE, 1).result
    assert inflicts(woken, ODILE, SLEEP).result.is_asleep(ODILE)  # no question


def test_falling_asleep_uses_the_turn_up() -> None:
    asleep = inflicts(BEGUN, ODILE, SLEEP).result
    assert asleep.acted == (ODILE,) and not asleep.is_able(ODILE)
    assert ends(asleep).result.acted == (ODILE,)


@pytest.mark.parametrize("blocks", [False, True])
def test_sleep_and_interrupts(blocks: bool) -> None:
    state = ruled(BEGUN.gains(ODILE, SLEEP), sleep_blocks_reactions=blocks)
    assert state.can_react(ODILE) is not blocks
    assert state.can_react(PIM)


def test_LB_EDGE_04_a_sleeper_blocks_the_fallen_do_not() -> None:
    state = BEGUN.put(PIM, 4).dies(RATTLE)
    state = resheeted(state, SNUB, valor=4).gains(SNUB, SLEEP)
    assert moving.blockade(state, PIM) is not None
    down = state.with_hp(SNUB, 0).falls(SNUB)
    assert moving.blockade(down, PIM) is None
    counted = ruled(down, blockade_counts_fallen=True)
    assert moving.blockade(counted, PIM) is not None


def test_LB_EDGE_09_a_sleeper_counts_as_seven() -> None:
    state = resheeted(BEGUN.dies(RATTLE), SNUB, evasion=5)
    state = resheeted(state, SLIME, evasion=6)
    assert tactics_check.highest_evasion(state, FOE) == 6
    assert tactics_check.highest_evasion(state.gains(SNUB, SLEEP), FOE) == 7
    assert tactics_check.highest_evasion(state.falls(SNUB), FOE) == 7
    assert BEGUN.evasion(ODILE) == 10 and BEGUN.gains(ODILE, SLEEP).evasion(ODILE) == 7


def test_LB_EDGE_26_set_hp_does_not_wake() -> None:
    asleep = BEGUN.gains(SLIME, SLEEP)
    put = tk.play(wounds.set_hp, asleep, SLIME, 4).result
    assert put.hp[SLIME] == 4 and put.is_asleep(SLIME)


def test_LB_EDGE_29_cursed_and_distracted() -> None:
    state = ALONE.gains(HERO, CURSE).gains(HERO, DISTRACTION)
    played = acts(state, HERO, SWORD, (1, 2), (3, 3))  # fumble 6: effects end
    assert any(isinstance(event, fumbles.FumbleRow) for event in played.events)
    assert played.result.statuses == ((HERO, CURSE),)
    plain = acts(ALONE, HERO, SWORD, (1, 2))
    assert not any(isinstance(event, fumbles.FumbleRow) for event in plain.events)


def test_the_curse_widens_the_absolute_failure() -> None:
    for faces, cursed, plain in (
        ((1, 1), CheckResult.ABSOLUTE_FAILURE, CheckResult.ABSOLUTE_FAILURE),
        ((1, 2), CheckResult.ABSOLUTE_FAILURE, CheckResult.SUCCESS),
        ((2, 2), CheckResult.SUCCESS, CheckResult.SUCCESS),
    ):
        for state, result in ((ALONE.gains(HERO, CURSE), cursed), (ALONE, plain)):
            made = (state, HERO, "disarm", "valor", 5, "LB-SUP-06")
            assert tk.play(checks.checked, *made, faces=[faces]).result[1] == result


def test_LB_EDGE_32_a_sleeper_keeps_the_battle_going() -> None:
    state = BEGUN.dies(PIM).dies(ODILE).gains(BRANNOC, SLEEP).done(BRANNOC)
    assert not endings.is_decided(state)
    assert not rounds.has_turns(state, COURT)
    assert rounds.side_to_act(state) == FOE


def test_LB_EDGE_33_no_round_end_after_the_last_monster() -> None:
    state = BEGUN.with_hp(PIM, 1).gains(PIM, POISON)
    state = state.dies(SNUB).dies(RATTLE).dies(SLIME)
    played = tk.play(rounds.advance, state)
    assert played.result.hp[PIM] == 1 and played.result.outcome == "court_won"
    assert played.result.has(PIM, POISON)


def test_LB_EDGE_34_poison_fells_the_last_of_both_sides() -> None:
    state = ALONE.with_hp(HERO, 1).with_hp(GOBLIN, 1)
    state = state.gains(HERO, POISON).gains(GOBLIN, POISON)
    played = tk.play(rounds.end_round, state, answers=[DOWN])
    kinds = [type(event).__name__ for event in played.events]
    assert kinds.index("FatalWound") > kinds.index("Wounded") + 1
    assert [e.who for e in played.events if isinstance(e, wounds.Wounded)] == [0, 1]
    over = tk.play(rounds.advance, played.result).result
    assert over.outcome == "draw" and over.phase == "over" and over.loot == ()


def test_LB_EDGE_38_a_side_that_cannot_act_is_passed_over() -> None:
    state = BEGUN.gains(SNUB, SLEEP).with_hp(RATTLE, 0).falls(RATTLE).dies(SLIME)
    assert rounds.side_to_act(state) == COURT
    done = state.done(PIM).done(ODILE).done(BRANNOC)
    assert rounds.side_to_act(done) is None
    after = ends(done).result
    assert after.phase == "tactics" and after.is_asleep(SNUB)


def test_LB_EDGE_40_what_an_obese_character_pays() -> None:
    fat = BEGUN.gains(PIM, OBESITY)
    walked = [moving.Forward(), rounds.Pass()]
    turn = tk.play(rounds.take_turn, fat, PIM, answers=walked).result
    assert turn.hp[PIM] == 12

    blocked = fat.put(ODILE, 4)  # valor 2 against one head
    pays = [moving.Forward(), breakthroughs.BreakThrough("Pim"), (3,)]
    broken = tk.play(moving.move, blocked, ODILE, answers=pays).result
    assert broken.areas[ODILE] == 5 and broken.hp[PIM] == 11

    strong = resheeted(ALONE, GOBLIN, hp_max=50).with_hp(GOBLIN, 50)
    heavy = strong.gains(HERO, OBESITY)
    twice = acts(heavy, HERO, SWORD, (6, 6), (1, 2), SWORD, (1, 2))
    assert twice.result.hp[HERO] == 9 and GOBLIN not in twice.result.dead
    breaths = [at for at, e in enumerate(twice.events) if isinstance(e, OutOfBreath)]
    assert len(breaths) == 2
    second = [
        at for at, e in enumerate(twice.events) if isinstance(e, attacks.Attacked)
    ]
    assert breaths[0] < second[1] < breaths[1]  # each after its action


def test_LB_EDGE_41_the_victory_stands() -> None:
    last = ALONE.with_hp(HERO, 1).with_hp(GOBLIN, 1).gains(HERO, OBESITY)
    played = acts(last, HERO, SWORD, (5, 5), DOWN)
    assert played.result.dead == (GOBLIN,) and played.result.incapacitated == (HERO,)
    assert endings.is_decided(played.result)
    assert endings.outcome(played.result) == "court_won"
    over = tk.play(rounds.advance, played.result).result
    assert over.outcome == "court_won"


def test_an_undecided_battle_is_left_open_by_the_obese() -> None:
    acted = acts(BEGUN.gains(PIM, OBESITY), PIM, HELP).result
    assert acted.outcome == "" and acted.hp[PIM] == 11


def test_LB_EDGE_63_too_tired_for_the_extra_action() -> None:
    strong = resheeted(ALONE, GOBLIN, hp_max=50).with_hp(GOBLIN, 50)
    heavy = strong.with_hp(HERO, 1).gains(HERO, OBESITY)
    down = acts(heavy, HERO, SWORD, (6, 6), (1, 2), DOWN)  # and no second attack
    assert down.result.incapacitated == (HERO,)
    still_up = heavy.with_hp(HERO, 2)
    again = acts(still_up, HERO, SWORD, (6, 6), (1, 2), SWORD, (1, 2), DOWN)
    assert again.result.hp[HERO] == 0


def test_LB_EDGE_53_the_foolish_meet_no_blockade() -> None:
    silly = BEGUN.put(PIM, 4).gains(PIM, FOOLISH)  # enemies in the area: in range
    assert moving.blockade(silly, PIM) is not None
    assert bad_statuses.forced_direction(silly, PIM) == ()


def test_LB_EDGE_56_awake_though_the_damage_is_cancelled() -> None:
    asleep = BEGUN.gains(ODILE, SLEEP).done(ODILE)
    hit = tk.play(wounds.take_damage, asleep, ODILE, 11, answers=[(4, 4), (1,)]).result
    assert hit.hp[ODILE] == 11 and not hit.is_asleep(ODILE)
    assert ODILE in hit.acted and ODILE not in hit.incapacitated


def test_LB_EDGE_61_reduction_spares_poison_kills() -> None:
    lying = BEGUN.with_hp(SNUB, 0).falls(SNUB).gains(SNUB, POISON)
    weaker = tk.play(wounds.reduce_hp, lying, SNUB, 2).result
    assert weaker.hp[SNUB] == -2 and weaker.incapacitated == (SNUB,)
    assert tk.play(bad_statuses.round_end, weaker).result.dead == (SNUB,)


def test_LB_EDGE_66_asleep_between_step_and_action() -> None:
    asleep = inflicts(BEGUN, PIM, SLEEP).result
    assert not rounds.may_go_on(asleep, PIM)


def test_distraction_blocks_gains_alone() -> None:
    scattered = BEGUN.gains(PIM, DISTRACTION)
    assert bad_statuses.gain_vigor(scattered, PIM, 2) == scattered
    assert bad_statuses.gain_vigor(BEGUN, PIM, 2).vigor[PIM] == 5
    for faces in ((1, 1), (6, 6), (3, 4)):
        made = (scattered, PIM, "investigate", "wit", 9, "LB-SUP-04")
        state, _ = tk.play(checks.checked, *made, faces=[faces]).result
        assert state.has(PIM, DISTRACTION) is (faces == (3, 4))
        assert state.vigor[PIM] == 3


def test_reach_is_that_of_the_longest_weapon() -> None:
    assert bad_statuses.reach(BEGUN, ODILE) == 2  # a sling beside a knife
    assert bad_statuses.reach(BEGUN, PIM) == 0
    pole = Item("pole", range=3)  # no weapon: its range means nothing
    people = (
        Combatant("A", COURT, CharacterKind.PC, 9, items=(pole,)),
        Combatant("B", FOE, CharacterKind.MONSTER, 9, monster_kind="b"),
    )
    state = states.opening(replace(DUEL, combatants=people, placement=(3, 4)))
    assert bad_statuses.reach(state, 0) == 0
    pike = Item("pike", WeaponKind.MELEE, range=1)
    armed = replace(people[0], items=(pole, pike))
    both = replace(DUEL, combatants=(armed, people[1]), placement=(3, 4))
    assert bad_statuses.reach(states.opening(both), 0) == 1


def test_the_foolish_go_where_enemies_are() -> None:
    silly = BEGUN.gains(PIM, FOOLISH)
    assert bad_statuses.forced_direction(silly, PIM) == (1,)
    assert bad_statuses.forced_direction(silly.put(PIM, 6).put(SLIME, 4), PIM) == (-1,)
    between = silly.put(PIM, 3).put(SNUB, 1).put(RATTLE, 5)
    assert bad_statuses.forced_direction(between, PIM) == (1, -1)
    menu = moving.Moves(between, PIM)
    assert menu.allows(moving.Forward()) and menu.allows(moving.Back())
    assert not menu.allows(moving.Stay())
    gone = silly
    for foe in (SNUB, RATTLE, SLIME):
        gone = gone.put(foe, 0)
    assert bad_statuses.forced_direction(gone, PIM) == ()
    goblin = BEGUN.gains(SNUB, FOOLISH)
    assert bad_statuses.forced_direction(goblin, SNUB) == (1,)


@pytest.mark.parametrize(
    ("cure", "cures"),
    [
        (bad_statuses.rested, {POISON}),
        (bad_statuses.skipped_a_meal, {OBESITY}),
        (bad_statuses.went_home, {POISON, DISTRACTION, OBESITY, CURSE, FOOLISH}),
    ],
)
def test_cures(cure: Any, cures: set[BadStatus]) -> None:
    ill = replace(CELLAR.combatants[PIM], statuses=tuple(BadStatus))
    left = set(cure(ill).statuses)
    assert left == set(BadStatus) - cures
    assert cure(CELLAR.combatants[PIM]) == CELLAR.combatants[PIM]
