"""One rule, every driver: play, scripts, simulation, exact odds, games, frames."""

from __future__ import annotations

import gc
from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

import campaign
import hand
import msgspec
import pytest
import skirmish
import smallest
from campaign import (
    CAMPAIGN,
    ESCORTED,
    WAR,
    March,
    Marched,
    Met,
    Orders,
    Parted,
    Rested,
    marching,
)
from msgspec.structs import replace
from skirmish import (
    PLAIN,
    SAMPLES,
    SKIRMISH,
    Action,
    Encounter,
    Fell,
    GiveUp,
    Hit,
    Pass,
    React,
    Riposted,
    Sheet,
    Stay,
    Strike,
    Study,
    Surrendered,
    Take,
    Variant,
    Warded,
    attack,
    attack_dice,
    sensible,
)

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.core.answers import Broken, Hidden, Throw
from tabletop_kit.core.asking import Endless, Mixed, Scripted, Taken, dice_stream
from tabletop_kit.core.dice import best_two, dice, ways
from tabletop_kit.core.elements import applied, drawn
from tabletop_kit.core.events import Chose, Rolled, Told
from tabletop_kit.core.frames import DRAWN, Film, encoded
from tabletop_kit.core.game import Game, autoplay
from tabletop_kit.core.menus import Menu, Reason, Refused, Split, asked_of
from tabletop_kit.core.odds import Odds, odds, walk
from tabletop_kit.core.outcomes import Bracket, OverBudget, PolicyError, Tables
from tabletop_kit.core.packed import GROUP, Packed
from tabletop_kit.core.playing import battle
from tabletop_kit.core.policies import by_side, first_legal, random_legal, standing
from tabletop_kit.core.saves import from_json, to_json
from tabletop_kit.core.scenes import Look
from tabletop_kit.core.systems import known_as

DUEL, TWO, THREE, SECRET = (SAMPLES[name] for name in (*PLAIN, "secret"))


def ending(
    encounter: Any, seed: int | str, policy: Callable[[Menu[Any]], Any] = sensible
) -> str:
    return str(battle(encounter, policy, seed)["ending"])


def to_window(name: str) -> Game:
    """A game that has just stopped at such a question."""
    for seed in range(400):
        game = Game(THREE, seed=seed)
        autoplay(game, sensible, until=lambda g: asked(g) == name)
        if asked(game) == name:
            return game
    raise AssertionError(name)


def asked(game: Game) -> str:
    return game.ask.name if isinstance(game.ask, Menu) else ""


def ask(game: Game) -> Menu[Any]:
    assert isinstance(game.ask, Menu)
    return game.ask


# ---- one rule, every driver --------------------------------------------------------


def test_a_script_drives_a_chain_of_windows() -> None:
    sheets = (
        Sheet("Ann", 0, 20, 2, 4, skills=("riposte",)),
        Sheet("Imp", 1, 20, 2, 3, row=2, skills=("riposte",)),
    )
    start = SKIRMISH.start(Encounter(sheets))
    ones = (1, 1), React()  # a fumble, and it is struck back at
    script = Scripted((*ones, *ones, *ones, (6, 6), (3, 4)))
    after = attack(script, start, 0, 1)
    assert [type(event) for event in script.events].count(Riposted) == 3
    assert after.who[0].hp == 20 - (2 + 19 - 4)
    assert not script.left() and script.told[-1] == after
    closed = SKIRMISH.start(Encounter(sheets, Variant(riposte_chain=False)))
    assert attack(Scripted(((1, 1), React(), (1, 1))), closed, 0, 1) == closed


def test_play_takes_choices_and_faces_apart_or_together() -> None:
    start = SKIRMISH.start(DUEL)
    mixed = tk.play(attack, start, 1, 0, answers=[Pass(), (6, 6), (3, 4)])
    apart = tk.play(attack, start, 1, 0, answers=[Pass()], faces=[(6, 6), (3, 4)])
    assert mixed.result == apart.result and mixed.words() == apart.words()
    assert [faces for _, faces in mixed.rolls] == [(6, 6), (3, 4)]
    with pytest.raises(ValueError, match="answers left over"):
        tk.play(attack, start, 1, 0, answers=[Pass(), (3, 4), (3, 4)])
    with pytest.raises(IndexError, match=r"ends before skirmish\.ward"):
        tk.play(attack, start, 1, 0, answers=[])
    with pytest.raises(ValueError, match="expected the faces of 2D6"):
        tk.play(attack, start, 1, 0, answers=[Pass(), (7, 1)])
    with pytest.raises(Refused, match="not_an_answer"):
        tk.play(attack, start, 1, 0, answers=[Stay(), (3, 4)])


@pytest.mark.parametrize("name", PLAIN)
def test_the_kit_and_the_hand_written_loop_play_the_same_battles(name: str) -> None:
    by_hand = [hand.battle(SAMPLES[name], dice_stream(i)) for i in range(200)]
    assert [ending(SAMPLES[name], i) for i in range(200)] == by_hand


def test_a_simulated_row_opens_as_a_game() -> None:
    rows = tk.simulate(TWO, battles=12, seed="rows").to_dicts()
    assert [row["battle"] for row in rows] == list(range(12))
    for row in rows:
        game = Game(TWO, seed=row["seed"]).play(sensible)
        assert SKIRMISH.ending(game.state) == row["ending"]
        assert [f.hp for f in game.state.who] == [row[f"{n} HP"] for n in TWO.names]
    mixing = tk.simulate(DUEL, battles=6, policy=random_legal, seed=4).to_dicts()
    for row in mixing:
        game = Game(DUEL, seed=row["seed"]).play(random_legal)
        assert SKIRMISH.ending(game.state) == row["ending"]


def test_the_smallest_system_is_small_and_has_exact_odds() -> None:
    code = [line for line in smallest.source().splitlines() if line.strip()]
    assert len(code) <= 80
    tiny = smallest.load()
    fair = tk.odds(tiny.Duel(), policy=lambda menu: tiny.Fight())
    assert abs(fair.endings["Ann wins"] - 0.5) < 1e-9


# ---- exact odds --------------------------------------------------------------------


@pytest.fixture(scope="module")
def exact() -> Odds:
    """Of the whole duel."""
    return odds(SKIRMISH, SKIRMISH.start(DUEL), sensible)


def test_exact_odds_agree_with_simulation(exact: Odds) -> None:
    assert exact.done and exact.unresolved < 1e-9
    assert abs(sum(exact.endings.values()) + exact.unresolved - 1) < 1e-12
    n, p = 4000, exact.endings["side 0 wins"]
    won = sum(ending(DUEL, i) == "side 0 wins" for i in range(n)) / n
    assert abs(won - p) < 4 * (p * (1 - p) / n) ** 0.5


def test_lumping_changes_no_odds_and_no_number_in_the_log(exact: Odds) -> None:
    plain = odds(
        SKIRMISH, SKIRMISH.start(DUEL), sensible, tables=Tables(sensible, lumps=False)
    )
    assert exact.endings.keys() == plain.endings.keys()
    assert all(abs(exact.endings[k] - plain.endings[k]) < 1e-9 for k in exact.endings)
    played = tk.play(
        attack, SKIRMISH.start(DUEL), 1, 0, answers=[Pass(), (6, 6), (6, 6), (3, 4)]
    )
    hits = [event for event in played.events if isinstance(event, Hit)]
    assert played.result.who[0].hp == 0 and [hit.dealt for hit in hits] == [2 + 31]


def test_a_chain_is_a_bracket_and_its_cut_is_stated() -> None:
    table = tk.outcomes(attack_dice, 10**6)
    fumble = table.chance(lambda total: total == 0)
    assert isinstance(fumble, Bracket) and fumble.low < fumble.high
    assert 0 < table.cut < Fraction(1, 2**40) and fumble.high - fumble.low == table.cut
    exactly = {0: Fraction(1, 36), 11: Fraction(2, 36), 14: Fraction(1, 36**2)}
    exactly[19] = Fraction(1, 36) * Fraction(6, 36)
    for total, chance in exactly.items():
        found = table.chance(total.__eq__)
        assert isinstance(found, Bracket) and found.low == chance and chance in found
    assert table.cut + Fraction(sum(table.ways.values()), table.total) == 1


def test_where_nothing_is_cut_a_chance_is_a_fraction() -> None:
    table = tk.outcomes(attack_dice, 14)  # every critical is one result
    uncut = table.chance(lambda total: total == 11)
    assert isinstance(uncut, Bracket) and Fraction(2, 36) in uncut
    plain = tk.outcomes(lambda ask: ask.roll(dice(2, 6), "", "plain", "SK-ATK-02"))
    assert plain.chance(lambda total: total == 11) == Fraction(2, 36)


def test_of_asks_something_of_each_result_and_keeps_the_cut() -> None:
    start = SKIRMISH.start(DUEL)
    whole = tk.outcomes(attack, start, 1, 0, policy=sensible)
    left = whole.of(lambda after: after.who[0].hp)
    assert left.total == whole.total and left.unresolved == whole.unresolved
    assert sum(left.ways.values()) + left.unresolved == left.total
    down = left.chance(lambda hp: hp == 0)
    assert str(down) == str(whole.chance(lambda after: after.who[0].hp == 0))
    assert min(left.ways) == 0 and len(left.ways) < len(whole.ways) + 1


def test_who_rolls_is_no_part_of_a_table() -> None:
    book = Tables(sensible)
    book(SKIRMISH.advance, replace(SKIRMISH.start(TWO), side=0))
    book(SKIRMISH.advance, replace(SKIRMISH.start(TWO), side=1))
    rule = getattr(attack_dice, "__wrapped__", attack_dice)
    keys = [key for key in book.memo if key[0] is rule]
    assert keys and all(len(key) == 2 for key in keys)
    with pytest.raises(TypeError, match="positional"):
        Tables().enumerate(lambda ask: attack_dice(ask, enough=14))


def test_best_two_of_n_dice_are_the_published_chances() -> None:
    found = [Fraction(ways(dice(n, 6, best_two))[12], 6**n) for n in (2, 3, 4, 5)]
    assert [str(f) for f in found] == ["1/36", "2/27", "19/144", "763/3888"]


def test_both_house_rules_and_both_encounters_live_in_one_book() -> None:
    book = Tables(sensible)
    for chain in (True, False):
        encounter = Encounter(DUEL.sheets, Variant(riposte_chain=chain))
        book(SKIRMISH.advance, SKIRMISH.start(encounter))
    assert len({k[1] for k in book.memo if isinstance(k[1], skirmish.Skirmish)}) == 2


def test_odds_within_a_small_budget_bracket_the_exact(exact: Odds) -> None:
    met: list[int] = []
    for budget in (60, 400):
        part = tk.odds(
            DUEL, states=budget, battles=1500, progress=lambda p: met.append(p.states)
        )
        assert part.battles == 1500 and 0 < part.margin < 0.05 and not part.done
        assert abs(sum(part.endings.values()) + part.unresolved - 1) < 1e-9
        for name, chance in exact.endings.items():
            low, high = part.bracket(name)
            assert low <= chance <= high
    assert len(met) > 4 and max(met) > 400
    front = tk.odds(DUEL, states=60, battles=0)
    assert front.battles == 0 and front.margin == 0 and front.unresolved > 0.1
    assert all(
        low <= exact.endings[name] <= high
        for name in exact.endings
        for low, high in [front.bracket(name)]
    )


def test_an_interrupt_keeps_what_is_done(exact: Odds) -> None:
    def stop_at_fifth(partial: Odds) -> None:
        if partial.units == 5:
            raise KeyboardInterrupt

    part = tk.odds(DUEL, progress=stop_at_fifth)
    assert part.units == 5 and not part.done and part.battles == 0
    for name, chance in exact.endings.items():
        low, high = part.bracket(name)
        assert low <= chance <= high

    def stop_at_first(done: int, asked: int) -> None:
        raise KeyboardInterrupt

    rows = tk.simulate(DUEL, battles=1000, progress=stop_at_first)
    assert rows.height == 256

    calls = [0]

    def stops(menu: Menu[Any]) -> Any:
        calls[0] += 1
        if calls[0] == 3000:
            raise KeyboardInterrupt
        return sensible(menu)

    sampled = tk.odds(DUEL, policy=stops, states=20, battles=100_000)
    assert 0 < sampled.battles < 100_000 and sampled.margin > 0
    assert abs(sum(sampled.endings.values()) + sampled.unresolved - 1) < 1e-9


def test_walking_only_narrows(exact: Odds) -> None:
    before = 1.0
    for part in walk(SKIRMISH, SKIRMISH.start(DUEL), sensible, rest=1e-3):
        assert part.unresolved <= before + 1e-12
        before = part.unresolved
        for name, chance in part.endings.items():
            assert chance <= exact.endings[name] + 1e-12


# ---- the policy contract -----------------------------------------------------------


def test_random_policies_are_exact_too() -> None:
    opened = SKIRMISH.advance(Scripted(((6,),)), SKIRMISH.start(DUEL))
    table = Tables(random_legal)(SKIRMISH.advance, opened)
    assert sum(table.ways.values()) + table.unresolved == table.total
    assert len(table.ways) > 10


def test_a_policy_with_a_generator_of_its_own_is_refused() -> None:
    random = Random(1)
    with pytest.raises(PolicyError, match="two ways"):
        odds(
            SKIRMISH,
            SKIRMISH.start(TWO),
            lambda menu: random.choice(list(menu.values())),
        )


def test_an_illegal_policy_is_refused_with_the_reasons() -> None:
    def friendly_fire(menu: Menu[Any]) -> Any:
        if isinstance(menu, Action):
            return Strike(asked_of(menu))
        return sensible(menu)

    with pytest.raises(Refused, match=r"own side.*not_a_foe, SK-ATK-01"):
        ending(TWO, 1, friendly_fire)
    with pytest.raises(PolicyError, match="not_a_foe"):
        tk.odds(TWO, policy=friendly_fire)


def test_exact_odds_need_a_policy_for_what_is_asked() -> None:
    with pytest.raises(PolicyError, match=r"skirmish.ward is asked of Ann"):
        tk.outcomes(attack, SKIRMISH.start(DUEL), 1, 0)


def test_policies_by_side_and_by_combatant() -> None:
    stay = standing({"skirmish.movement": Stay()}, first_legal)
    mixed = by_side({"side 1": stay, 0: sensible}, otherwise=first_legal)
    game = Game(TWO, seed=2).play(mixed)
    steps = [r for r in game.records() if isinstance(r, Chose) and r.who in (2, 3)]
    moves = [r.value for r in steps if r.question == "skirmish.movement"]
    assert moves and all(move == Stay() for move in moves)


# ---- legality ----------------------------------------------------------------------


def test_every_reason_in_words_and_nothing_changes() -> None:
    game = Game(THREE, seed=5)
    game.answer(game.options()[0].value).answer(Stay())
    before = to_json(game)
    assert [o.label for o in game.options()][:1] == ["strike Imp"]
    assert {r.code for r in game.why_not(Strike("Ben"))} == {"not_a_foe"}
    (reason,) = game.why_not(Strike("Mask"))
    assert (reason.code, reason.clause) == ("out_of_reach", "SK-RNG-01")
    assert dict(reason.numbers) == {"distance": 2, "reach": 1}
    assert reason.sentence == "Too far: 2 away, reach 1."
    (nobody,) = game.why_not(Strike("Nobody"))
    assert nobody.code == "no_such_target" and "Nobody" in nobody.sentence
    for value in (3, None, ["Imp"], "x"):
        assert game.why_not(value)[0].code == "not_an_answer"
        assert game.why_not(Strike(value))[0].code in ("no_such_target",)  # type: ignore[arg-type]
    for wrong in (Strike("Mask"), Strike("Nobody"), "x", None):
        with pytest.raises(Refused) as refused:
            game.answer(wrong)
        assert all(r.clause and r.sentence for r in refused.value.reasons)
    assert to_json(game) == before


def test_all_reasons_at_once() -> None:
    opened = SKIRMISH.advance(Scripted(((6,),)), SKIRMISH.start(THREE))
    fallen = opened.with_(1, hp=0)
    reasons = Action(fallen, 0).why_not(skirmish.Firebolt("Ben"))
    codes = [reason.code for reason in reasons]
    assert codes == ["no_such_skill", "not_a_foe", "down"]


def test_a_domain_too_large_to_list() -> None:
    split = Split(7, (3, 4, 5))
    assert (3, 4, 0) in split and (3, 3, 0) not in split and (4, 3, 0) not in split
    assert [3, 4, 0] not in split and (3, 4) not in split and (True, 4, 2) not in split
    assert all(part in split for part in split) and 0 < len(list(split)) <= 3


def test_a_stale_answer_is_refused() -> None:
    game = Game(TWO, seed=3)
    first = game.options()[0].value
    game.answer(first)
    before = to_json(game)
    with pytest.raises(Refused, match="not_an_answer"):
        game.answer(first)
    game.play(sensible)
    assert game.ask is None and game.why_not(first)[0].code == "nothing_is_asked"
    with pytest.raises(ValueError, match=r"over .*nothing is asked"):
        game.answer(first)
    assert len(to_json(game)) > len(before)


# ---- games -------------------------------------------------------------------------


def test_same_answer_same_dice_other_dice_only_on_a_branch() -> None:
    game = Game(TWO, seed=3).play(sensible, 30)
    words, at = game.words(), game.here
    for _ in range(5):
        game.undo()
    for _ in range(5):
        game.answer(sensible(ask(game)))
    assert game.words() == words and game.here == at
    game.undo()
    base = game.here
    others = set()
    for _ in range(6):
        others.add(tuple(game.goto(base).branch().play(sensible, 10).words()))
    assert len(others) > 1 and game.goto(at).words() == words


def test_what_if_this_die_were_a_six() -> None:
    game = Game(DUEL, seed=1).play(sensible, 12)
    throw = next(r for r in game.rolls() if r.why == "attack" and r.faces != (6, 6))
    before, line = game.words(), game.here
    game.branch(at=throw.node, faces=(6, 6))
    assert game.rolls()[-1].why == "critical"
    assert game.nodes[game.here].stream == "" and game.words() != before
    twin = next(r for r in game.rolls() if r.faces == (6, 6))
    assert (twin.why, twin.by, twin.clause) == (throw.why, throw.by, throw.clause)
    assert game.goto(line).words() == before
    for wrong in ((7, 1), (6,), (0, 0)):
        with pytest.raises(ValueError):
            game.branch(at=throw.node, faces=wrong)
    chosen = next(r for r in game.records() if isinstance(r, Chose))
    with pytest.raises(ValueError, match="node of a throw"):
        game.branch(at=chosen.node, faces=(6, 6))
    assert game.here == line and game.words() == before


def test_other_faces_leave_the_later_dice_as_they_were() -> None:
    game = Game(TWO, seed=8).play(sensible, 40)
    throws = game.rolls()
    first = throws[0]
    other = (first.faces[0] % 3 + (4 if first.faces[0] < 4 else 1),)
    game.branch(at=first.node, faces=other).play(sensible, 40)
    again = game.rolls()
    assert again[0].faces == other and again[0].faces != first.faces
    flat = [face for roll in throws[1:] for face in roll.faces]
    other_flat = [face for roll in again[1:] for face in roll.faces]
    same = min(len(flat), len(other_flat))
    assert same > 10 and flat[:same] == other_flat[:same]


def test_undo_to_the_start_and_redo_to_the_end() -> None:
    game = Game(THREE, seed=5).play(sensible)
    words, records, state = game.words(), game.records(), game.state
    undone = 0
    while game.undo():
        undone += 1
    assert game.state == Game(THREE, seed=5).state and len(game.words()) == 1
    redone = 0
    while game.redo():
        redone += 1
    assert redone and undone
    assert game.words() == words and game.state == state and game.ask is None
    assert game.records() == records


def test_hands_on_dice() -> None:
    game = Game(DUEL, throws=False)
    assert isinstance(game.ask, Throw) and game.ask.why == "initiative"
    for wrong in ((7,), (1, 2), None):
        with pytest.raises(ValueError, match="faces of 1D6"):
            game.answer(faces=wrong)
    game.answer(faces=(6,))
    assert isinstance(game.ask, Menu)
    again = from_json(to_json(game))
    assert not again.throws and again.words() == game.words()


def test_standing_answers_are_given_and_recorded_as_ordinary_ones() -> None:
    answers = {
        "skirmish.movement": Stay(),
        "skirmish.ward": React(),
        "skirmish.who_acts": lambda menu: next(menu.values()),
    }
    game = Game(TWO, seed=3, standing=answers)
    assert asked(game) == "skirmish.action"  # the first two are answered already
    by_hand = Game(TWO, seed=3).play(sensible, 2)
    assert game.words() == by_hand.words() and game.state == by_hand.state
    game.play(sensible, 12)
    given = [n for n in game.nodes[1:] if n.by == "standing"]
    assert {n.question for n in given} >= {"skirmish.movement", "skirmish.who_acts"}
    assert asked(game) == "skirmish.action" or game.ask is None
    loaded = from_json(to_json(game))  # a save holds the answers, not the standing ones
    assert loaded.words() == game.words() and loaded.standing == {}
    at = game.here
    assert game.undo() and asked(game) not in answers
    assert game.redo() and game.here == at
    while game.undo():
        pass
    while game.redo():
        pass
    assert game.here == at and game.words() == loaded.words()


def test_an_illegal_standing_answer_is_not_given() -> None:
    game = Game(TWO, seed=3, standing={"skirmish.action": Strike("Ben")})
    game.play(sensible, 2)
    assert asked(game) == "skirmish.action"


def test_a_game_begins_at_a_position() -> None:
    first = Game(TWO, seed=3).play(sensible, 30)
    position = next(n.position for n in first.nodes[::-1] if n.position is not None)
    game = Game(TWO, seed=9, at=position)
    assert game.nodes[0].position is position
    game.play(sensible)
    assert game.ask is None and from_json(to_json(game)).words() == game.words()
    with pytest.raises(ValueError, match="expected a position of <skirmish"):
        Game(DUEL, at=position)


def test_odds_from_the_middle_of_a_turn() -> None:
    game = to_window("skirmish.guard")
    for option in game.options():
        table = game.odds_of(option.value, sensible)
        assert sum(table.ways.values()) + table.unresolved == table.total
        assert len(table.ways) == 1  # the dice have been thrown: it is certain
    ward = to_window("skirmish.ward")
    table = tk.outcomes(ward, React())
    assert len(table.ways) > 5
    before = ward._since()[0]
    direct = Tables(sensible).enumerate(lambda ask: SKIRMISH.advance(ask, before))
    assert set(table.ways) <= set(direct.ways)


def test_odds_of_an_answer_are_what_the_dice_do() -> None:
    game = to_window("skirmish.action")
    answer = sensible(ask(game))
    table = game.odds_of(answer, sensible)
    here, found = game.here, set()
    for _ in range(30):
        game.goto(here).branch().answer(answer).play(
            sensible, 0 if asked(game) == "skirmish.who_acts" else 2
        )
        line = [game.nodes[i].position for i in game.line(here)]
        found |= {position for position in line if position is not None}
    assert found & set(table.ways)


def test_samples_of_an_answer_are_among_its_odds() -> None:
    game = to_window("skirmish.ward")
    answer = sensible(ask(game))
    exact = game.odds_of(answer, sensible)
    drawn = [*islice(game.samples_of(answer, sensible, seed=1), 400)]
    assert set(drawn) <= set(exact.ways) and len(set(drawn)) > 3
    likely = max(exact.ways, key=lambda state: exact.ways[state])
    chance = float(exact.chance(lambda state: state == likely))
    assert abs(drawn.count(likely) / 400 - chance) < 4 * (chance / 400) ** 0.5
    assert drawn[:5] == [*islice(game.samples_of(answer, sensible, seed=1), 5)]
    with pytest.raises(Refused):
        game.samples_of(skirmish.Strike("nobody"), sensible)


def test_a_failing_rule_leaves_the_game_as_it_was() -> None:
    class Failing(skirmish.SkirmishSystem):
        def advance(self, ask: Any, b: Any) -> Any:
            after = super().advance(ask, b)
            if not b.stands(1) or after.who[1].hp < 5:
                raise ZeroDivisionError
            return after

    game = Game(DUEL, seed=4)
    game.system = Failing()
    with pytest.raises(ZeroDivisionError):
        game.play(sensible)
    at, words, nodes = game.here, game.words(), len(game.nodes)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            game.play(sensible)
    assert (game.here, game.words(), len(game.nodes)) == (at, words, nodes)
    assert game.undo()


def test_an_offer_that_is_taken_up_is_saved_undone_and_scripted() -> None:
    game = Game(TWO, seed=3).play(sensible, 7)
    autoplay(game, sensible, until=lambda g: asked(g) == "skirmish.who_acts")
    words = game.words()
    offers = game.offers()
    assert [menu.who for menu in offers] == ["side 0", "side 1"]
    with pytest.raises(Refused):
        game.take(offers[1], Stay())
    game.take(offers[1], GiveUp())
    assert game.ask is None and SKIRMISH.ending(game.state) == "side 0 wins"
    assert isinstance(game.events()[-1], Surrendered)
    assert from_json(to_json(game)).words() == game.words()
    assert game.undo() and asked(game) == "skirmish.who_acts" and game.words() == words
    opened = SKIRMISH.advance(Scripted(((6,),)), SKIRMISH.start(TWO))
    assert SKIRMISH.advance(Scripted((Taken(GiveUp(), 1),)), opened).gave_up == 1
    with pytest.raises(Refused):
        game.take(offers[1], GiveUp())  # an offer of another moment
    assert game.words() == words


def test_policies_take_offers_in_play_and_in_odds(exact: Odds) -> None:
    def coward(menu: Menu[Any]) -> Any:
        if menu.name == "skirmish.surrender":
            scared = menu.who == "side 0" and menu.seen.who[0].hp < 8
            return GiveUp() if scared else None
        return sensible(menu)

    coward.takes = ("skirmish.surrender",)  # type: ignore[attr-defined]
    timid = odds(SKIRMISH, SKIRMISH.start(DUEL), coward).endings["side 0 wins"]
    assert timid < exact.endings["side 0 wins"]
    n = 3000
    won = sum(ending(DUEL, i, coward) == "side 0 wins" for i in range(n)) / n
    assert abs(won - timid) < 4 * (timid * (1 - timid) / n) ** 0.5


def test_answers_and_saves_hold_names() -> None:
    game = Game(TWO, seed=3).play(sensible, 40)
    moves = msgspec.json.decode(to_json(game))["moves"]
    values = [move["value"] for move in moves if move.get("value")]
    named = [v.get("target", v.get("who")) for v in values]
    assert set(filter(None, named)) <= set(TWO.names) and len(set(named)) > 3
    assert {m["who"] for m in moves if "who" in m} <= {*TWO.names, "side 0", "side 1"}
    turned = Encounter((TWO.sheets[1], TWO.sheets[0], *TWO.sheets[2:]))
    start = replace(SKIRMISH.start(turned), side=0)
    acts = Scripted((Take("Ann"), Stay(), Strike("Imp"), (1, 1), React(), (3, 4)))
    with pytest.raises(Refused):  # Imp's riposte meets Ann's ward: the script has faces
        SKIRMISH.advance(acts, start)
    acts = Scripted(
        (Take("Ann"), Stay(), Strike("Imp"), (1, 1), React(), Pass(), (3, 4))
    )
    SKIRMISH.advance(acts, start)
    first = acts.events[0]
    assert first.words(turned.name_of) == "Ann attacks Imp."


# ---- a battle inside a campaign ----------------------------------------------------


def in_battle(seed: int = 2, questions: int = 18) -> Game:
    game = Game(ESCORTED, seed=seed).play(marching, questions)
    assert game.state.battle is not None
    return game


def test_undo_reaches_through_a_battle_inside_a_campaign() -> None:
    game = Game(WAR, seed=2).play(marching)
    assert game.ask is None and any("battle ends" in w for w in game.words())
    words = game.words()
    again = from_json(to_json(game))
    assert again.words() == words
    while game.undo():
        pass
    assert game.state == CAMPAIGN.start(WAR) and game.words() == []
    while game.redo():
        pass
    assert game.words() == words


def test_a_campaigns_odds_reach_through_its_battles() -> None:
    near = campaign.War((replace(WAR.captains[0], hp=6), WAR.captains[1]), rooms=2)
    part = tk.odds(near, states=400, battles=300)
    n = 600
    won = sum(ending(near, i, marching) == "side 0 wins" for i in range(n)) / n
    low, high = part.bracket("side 0 wins")
    assert low - 0.06 <= won <= high + 0.06


def test_inside_a_battle_numbers_mean_the_inner_names() -> None:
    game = Game(ESCORTED, seed=2).play(marching)
    names = ESCORTED.battle.names
    assert names == ("Mask", "Squire", "Ann", "Imp") and ESCORTED.names == names[2:]
    told = [r for r in game.records() if isinstance(r, Told)]
    for record in told:
        outer = isinstance(record.event, Marched | Rested | Met | Parted | None)
        assert record.setup is (ESCORTED if outer else ESCORTED.battle)
    words = game.words()
    assert any(w.startswith("Squire attacks ") for w in words)
    assert any("Mask" in w for w in words)
    people = {r.who for r in game.records() if isinstance(r, Chose)}
    assert {"Mask", "Squire", 0, 1} & people == {"Mask", "Squire", 0, 1}
    rollers = {r.by for r in game.records() if isinstance(r, Rolled)}
    assert {"Mask", "Squire"} <= rollers and not {2, 3} & rollers


def test_inside_a_battle_frames_show_the_right_people() -> None:
    game = in_battle()
    film = Film(game)
    film.new()
    said: list[Any] = [part for frame in film.frames for part in frame["say"]]
    assert {part for part in said if isinstance(part, int)} == {0, 1}
    assert "Squire" in said  # whom the campaign does not number
    hits = [f for f in film.frames if f.get("type") == "Attacked"]
    assert hits and all(set(f["people"]) <= {0, 1, "Squire", "Mask"} for f in hits)
    drawn = {key for frame in film.frames for key in frame.get("set", {})}
    assert {"token-0", "token-1", "token-Squire", "token-Mask"} <= drawn
    asks = [f["question"] for f in film.frames if f["kind"] == "ask"]
    assert asks
    for question in asks:
        assert question["who"] in (0, 1, "Squire", "Mask", "side 0", "side 1")
        for option in (o for kind in question["kinds"] for o in kind["options"]):
            assert set(option["marks"]) <= drawn


def test_a_question_inside_binds_people_by_outer_number_or_name() -> None:
    game = in_battle()
    autoplay(game, marching, until=lambda g: asked(g) == "skirmish.action")
    film = Film(game)
    *_, now = film.new()
    question = film.question(now)
    assert question is not None
    strikes = question["kinds"][0]
    assert strikes["name"] == "Strike"
    assert [option["bound"] for option in strikes["options"]] == [
        [["Mask"]],
        [["Squire"]],
        [[0]],
        [[1]],
    ]
    assert strikes["options"][2]["label"] == ["strike Ann"]


def test_reasons_inside_a_battle_hide_by_the_inner_numbers() -> None:
    cunning = replace(ESCORTED.escorts[0], wit=8123)
    war = campaign.War(ESCORTED.captains, escorts=(cunning, ESCORTED.escorts[1]))
    game = Game(war, seed=2)
    autoplay(
        game,
        marching,
        until=lambda g: asked(g) == "skirmish.action" and ask(g).who in (1, 2),
    )
    (reason,) = [r for r in game.why_not(Study("Mask")) if r.code == "too_cunning"]
    assert reason.numbers == () and "?" in reason.sentence
    assert b"8123" not in encoded(game, "side 0") and b"8123" in encoded(game, "gm")


# ---- what may not be seen ----------------------------------------------------------


def test_nothing_of_a_hidden_sheet_reaches_the_players() -> None:
    game = Game(SECRET, seed=9).play(sensible, 24)
    for viewer in ("side 0", 0, 1):
        shown = encoded(game, viewer)
        assert not [n for n in (b"7717", b"3301", b"8123") if n in shown]
    for viewer in ("gm", "side 1", 3):
        assert b"7717" in encoded(game, viewer)
    film = Film(game, "side 0")
    film.new()
    hits = [f for f in film.frames if f.get("type") == "Hit" and f["people"][1] == 2]
    assert hits
    for frame in hits:
        assert "armour ?, ? taken, ? left" in "".join(map(str, frame["say"]))
        assert frame["sum"]["total"][0] is None
    seen = Action(game.state, 0).seen
    assert seen.sheet(2).armour == -1 and seen.who[2].hp == 1
    assert seen.sheet(2).skills == ()


ASKED_UNSEEN = (2, "side 1", "gm")
"""The hidden one, its side, and whoever knows it: what they are asked may tell of it."""


def test_the_players_see_no_throw_of_the_hidden_and_no_question_put_to_them() -> None:
    game = Game(SECRET, seed=9)
    players, master = Film(game, "side 0"), Film(game)
    waits = 0
    for _ in range(80):
        if game.ask is None:
            break
        game.play(sensible, 1)
        frames = {film: film.new() for film in (players, master)}
        at = players.frames[frames[players][1]]
        unknown = game.state.hidden_from("side 0") is not None
        if unknown and isinstance(game.ask, Menu) and game.ask.who in ASKED_UNSEEN:
            waits += 1
            assert at["kind"] == "wait" and "question" not in at
            assert players.question(at["id"]) is None
            theirs = {name: value for name, value in at.items() if name != "offers"}
            assert "skirmish" not in msgspec.json.encode(theirs).decode()
        elif isinstance(game.ask, Menu):
            assert at["kind"] == "ask"
    thrown = [f["dice"]["by"] for f in players.frames if f["kind"] == "roll"]
    all_thrown = [f["dice"]["by"] for f in master.frames if f["kind"] == "roll"]
    assert waits and 2 in all_thrown and 2 not in thrown and 0 in thrown
    choices = [f["say"][0] for f in players.frames if f["kind"] == "choice"]
    assert 2 not in choices and 0 in choices
    assert 2 in [f["say"][0] for f in master.frames if f["kind"] == "choice"]


def test_hands_on_dice_of_the_hidden_are_not_announced() -> None:
    game = Game(SECRET, throws=False)
    random = Random(1)
    film = Film(game, "side 0")
    for _ in range(200):
        if isinstance(game.ask, Throw):
            if game.ask.by == 2:
                _, now = film.new()
                assert film.frames[now]["kind"] == "wait"
                assert "dice" not in film.frames[now]
                return
            count = game.ask.dice.count
            game.answer(faces=tuple(random.randint(1, 6) for _ in range(count)))
        else:
            game.answer(sensible(ask(game)))
    raise AssertionError("Mask never threw")


def test_options_and_reasons_give_nothing_hidden_away() -> None:
    game = Game(SECRET, seed=9)
    autoplay(
        game,
        sensible,
        until=lambda g: asked(g) == "skirmish.action" and ask(g).who == 0,
    )
    reasons = {r.code: r for r in game.why_not(Study("Mask"))}
    assert reasons["too_cunning"].numbers == ()
    assert (
        reasons["too_cunning"].sentence == "Its wit is ?, yours ?: no throw is enough."
    )
    with pytest.raises(Refused) as refused:
        game.answer(Study("Mask"))
    assert "8123" not in str(refused.value)
    blocked = Reason("blocked", "X", (("valor", 7),), 2, "Valor {valor}.")
    assert blocked.seen_by(game.state.knower(0)).sentence == "Valor ?."
    assert blocked.seen_by(game.state.knower("gm")) is blocked


def test_odds_that_would_give_a_hidden_value_away_are_refused_with_the_clause() -> None:
    game = Game(SECRET, seed=9)
    autoplay(game, sensible, until=lambda g: asked(g) == "skirmish.action")
    answer = sensible(ask(game))
    with pytest.raises(Hidden, match="SK-HID-01") as hidden:
        tk.outcomes(game, answer, viewer="side 0")
    assert hidden.value.clause == "SK-HID-01"
    assert tk.outcomes(game, answer, viewer="gm").ways
    found = replace(game.state, known=(2,))
    assert found.hidden_from("side 0") is None and found.seen_by("side 0") is found


def test_a_hidden_fighter_of_an_inner_battle_stays_hidden() -> None:
    game = in_battle(seed=2, questions=40)
    film = Film(game, "side 0")
    film.new()
    shown = encoded(game, "side 0")
    assert b"7717" not in shown and b"3301" not in shown
    assert b"7717" in encoded(game, "side 1") and b"7717" in encoded(game, "gm")
    hits = [
        f for f in film.frames if f.get("type") == "Hit" and f["people"][1] == "Mask"
    ]
    assert hits and all("armour ?" in "".join(map(str, f["say"])) for f in hits)
    thrown = [f["dice"]["by"] for f in film.frames if f["kind"] == "roll"]
    assert "Mask" not in thrown and "Squire" in thrown
    master = Film(game)
    master.new()
    assert "Mask" in [f["dice"]["by"] for f in master.frames if f["kind"] == "roll"]
    with pytest.raises(Hidden, match="SK-HID-01"):
        game.odds_of(marching(ask(game)), marching, viewer=0)


def test_replay_of_200_events_is_small() -> None:
    game = Game(THREE, seed=5).play(sensible)
    data = encoded(game)
    assert len(data) / len(game.events()) * 200 < 250_000


def test_events_fold_into_frames_that_form_the_games_tree() -> None:
    game = Game(TWO, seed=3).play(sensible, 25)
    film = Film(game)
    first, here = film.new()
    assert [frame["id"] for frame in film.frames] == list(range(len(first) + 1))
    assert all(frame["parent"] < frame["id"] for frame in first)
    again, same = film.new()
    assert again == [] and same == here
    for _ in range(4):
        game.undo()
    _, back = film.new()
    known = len(film.frames)
    while game.redo():
        pass
    assert film.new()[1] == here and len(film.frames) <= known + 1 and back < known
    throw = next(r for r in game.rolls() if r.why == "attack")
    game.branch(at=throw.node, faces=(6, 6))
    branched, _ = film.new()
    assert branched and branched[0]["kind"] == "roll"
    assert film.frames[branched[0]["parent"]]["id"] < known


def test_a_fighter_who_falls_leaves_nothing_behind() -> None:
    game = Game(THREE, seed=5).play(sensible)
    states = [r for r in game.records() if isinstance(r, Told)]
    fallen = [r for r in states if isinstance(r.event, Fell)]
    assert fallen
    for record in fallen:
        assert isinstance(record.event, Fell)
        fighter = record.state.who[record.event.who]
        assert fighter == skirmish.Fighter(0, 0, fighter.row)
    assert any(isinstance(r.event, Warded) for r in states)


def test_orders_are_refused_in_words() -> None:
    game = Game(WAR, seed=1)
    assert isinstance(game.ask, Orders)
    (reason,) = game.why_not(March(4))
    assert reason.sentence == "A march goes 1 room; that is 4."
    assert game.why_not(March(99))[0].code == "no_such_room"
    assert game.why_not(Strike("Imp"))[0].code == "not_an_answer"


def test_broken_names_the_answer() -> None:
    game = Game(TWO, seed=3).play(sensible, 10)
    data = msgspec.json.decode(to_json(game))
    data["moves"][3]["after"] = 90
    with pytest.raises(Broken, match=r"answer 4: expected after: 0 to 3; found 90"):
        from_json(msgspec.json.encode(data))


# ---- what is refused before anything is played ---------------------------------------


def test_outcomes_of_what_is_no_legal_answer() -> None:
    game = Game(TWO, seed=3)
    legal = game.options()[0].value
    for wrong in (None, Strike, {"target": "Imp"}, Strike("Nobody"), Strike("Ann")):
        with pytest.raises(Refused):
            tk.outcomes(game, wrong, policy=sensible)
    for answers in ((), (legal, legal)):
        with pytest.raises(ValueError, match="answer: expected one, got"):
            tk.outcomes(game, *answers, policy=sensible)
    with pytest.raises(ValueError, match=r"viewer: expected 'gm', .*got 'zz'"):
        tk.outcomes(game, legal, policy=sensible, viewer="zz")
    over = Game(TWO, seed=3).play(sensible)
    with pytest.raises(ValueError, match="the battle is over"):
        tk.outcomes(over, legal, policy=sensible)


def test_outcomes_of_dice_that_wait() -> None:
    game = Game(TWO, seed=3, throws=False)
    while not isinstance(game.ask, Throw):
        game.play(sensible, 1)
    readings = list(game.ask.dice.ways)
    assert tk.outcomes(game, readings[0], policy=sensible).ways
    for wrong in (0, 99, "x", (7, 7), []):
        with pytest.raises(ValueError, match=r"expected what .* can read, got"):
            tk.outcomes(game, wrong, policy=sensible)


@pytest.mark.parametrize("seed", [None, 1.5, True, [], b"x", "\ud800", 2**64])
def test_what_is_no_seed(seed: Any) -> None:
    for use in (
        lambda: Game(TWO, seed=seed),
        lambda: tk.simulate(TWO, battles=1, policy=sensible, seed=seed),
        lambda: tk.odds(TWO, policy=sensible, seed=seed),
    ):
        with pytest.raises(ValueError, match="seed: expected a whole number or text"):
            use()


@pytest.mark.parametrize("seed", [-(2**64) + 1, 0, "", "ö\n", "two"])
def test_every_seed_survives_a_save(seed: int | str) -> None:
    game = Game(TWO, seed=seed).play(sensible, 10)
    assert (
        from_json(to_json(game)).play(sensible).words() == game.play(sensible).words()
    )


@pytest.mark.parametrize(
    "options",
    [
        {"rest": -1},
        {"rest": float("nan")},
        {"states": 0},
        {"seconds": float("nan")},
        {"battles": -1},
        {"battles": 1.5},
        {"battles": True},
    ],
)
def test_budgets_that_are_none(options: dict[str, Any]) -> None:
    (name,) = options
    with pytest.raises(ValueError, match=f"{name}: expected a .*number from"):
        tk.odds(TWO, policy=sensible, **options)


@pytest.mark.parametrize("battles", [0, -1, 1.5])
def test_no_battles_to_simulate(battles: Any) -> None:
    with pytest.raises(ValueError, match="battles: expected a whole number from 1"):
        tk.simulate(TWO, battles=battles, policy=sensible)


def test_odds_at_a_position_of_another_battle() -> None:
    for at in (SKIRMISH.start(THREE), 5, "start"):
        with pytest.raises(ValueError, match="at: expected a position of <skirmish"):
            tk.odds(TWO, policy=sensible, at=at)


def test_places_in_the_tree_that_are_none() -> None:
    game = Game(TWO, seed=3).play(sensible, 10)
    for wrong in ("x", 1.0, True, -1, 10_000):
        with pytest.raises(ValueError, match=r"node: expected 0 to \d+, got"):
            game.goto(wrong)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=r"at: expected 0 to \d+, got"):
            game.branch(wrong)  # type: ignore[arg-type]
    throw = next(roll for roll in game.rolls() if len(roll.faces) == 2)
    nodes = len(game.nodes)
    for faces in (5, (7, 7), (1,), "66"):
        with pytest.raises(ValueError, match=rf"faces: expected .*\({throw.why}\)"):
            game.branch(throw.node, faces=faces)  # type: ignore[arg-type]
    assert len(game.nodes) == nodes


def test_faces_where_a_question_waits() -> None:
    game = Game(TWO, seed=3)
    here = game.here
    with pytest.raises(ValueError, match="no dice wait for the faces"):
        game.answer(game.options()[0].value, faces=(1, 1))
    assert game.here == here


def test_long_values_are_shortened() -> None:
    game = Game(TWO, seed=3)
    with pytest.raises(Refused) as refused:
        game.answer(Strike("x" * 10_000))
    assert len(str(refused.value)) < 1_000
    with pytest.raises(ValueError, match="got 'footbridge'"):
        Game("footbridge")


# ---- what does not end ---------------------------------------------------------------

idle: Any = smallest.load()


class Idle(idle.Tiny):  # type: ignore[misc]
    """Nobody ever wins."""

    name = "idle"

    def advance(self, ask: Any, bout: Any) -> Any:
        ask.choose(idle.Nerve(bout, 0))
        return bout


class IdleDuel(idle.Duel, frozen=True, eq=False):  # type: ignore[misc,call-arg]
    system_name = "idle"


def test_what_plays_by_itself_ends_with_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabletop_kit.core.game.MOST_BY_ITSELF", 500)
    duel = IdleDuel()

    def policy(menu: Menu[Any]) -> Any:
        return idle.Fight()

    with known_as(Idle()):
        for endless in (
            lambda: autoplay(Game(duel), policy),
            lambda: Game(duel).play(policy),
            lambda: Game(duel, standing={"tiny.nerve": idle.Fight()}),
        ):
            with pytest.raises(Endless, match="<idle encounter: Ann, Ben>: no end"):
                endless()
        game = Game(duel).play(policy, 600)
        assert game.nodes[game.here].chosen == 600
        rows = tk.simulate(duel, battles=2, policy=policy, units=50)
        assert rows["ending"].to_list() == ["no end"] * 2
        assert rows["units"].to_list() == [50, 50]


def test_a_unit_that_does_not_end() -> None:
    class Again(Idle):
        def advance(self, ask: Any, bout: Any) -> Any:
            while True:
                ask.choose(idle.Nerve(bout, 0))

    def policy(menu: Menu[Any]) -> Any:
        return idle.Fight()

    duel = IdleDuel()
    with known_as(Again()):
        game = Game(duel, seed=5)
        for endless in (
            lambda: game.play(policy),
            lambda: autoplay(Game(duel, seed=5), policy),
            lambda: Game(duel, standing={"tiny.nerve": idle.Fight()}),
            lambda: tk.outcomes(game, idle.Fight(), policy=policy),
        ):
            with pytest.raises(Endless, match=r"Ann, Ben>: no end after 1,000 .*"):
                endless()
        assert game.here == 0 and len(game.nodes) == 1
        rows = tk.simulate(duel, battles=2, policy=policy)
        assert rows["ending"].to_list() == ["no end"] * 2
        assert tk.odds(duel, policy=policy, seconds=1).unresolved == 1.0


def test_played_on_as_answer_by_answer() -> None:
    for seed in range(5):
        for policy in (sensible, random_legal):
            on, single = Game(TWO, seed=seed).play(policy, 40), Game(TWO, seed=seed)
            for _ in range(40):
                single.play(policy, 1)
            assert to_json(on) == to_json(single) and on.words() == single.words()


def test_a_policy_that_fails_leaves_what_was_played() -> None:
    left = [3]

    def stops(menu: Menu[Any]) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return sensible(menu)

    game = Game(TWO, seed=3)
    with pytest.raises(KeyboardInterrupt):
        game.play(stops)
    assert from_json(to_json(game)).here == game.here
    assert game.play(sensible).ask is None


def test_what_is_no_policy() -> None:
    for wrong in (
        lambda: tk.simulate(TWO, 2, policy="sensible"),  # type: ignore[arg-type]
        lambda: tk.odds(TWO, policy="sensible"),  # type: ignore[arg-type]
        lambda: Game(TWO).play("sensible"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ValueError, match="policy: expected a function of a menu"):
            wrong()
    with pytest.raises(ValueError, match="say policy="):
        tk.simulate(TWO, sensible)  # type: ignore[arg-type]


def test_time_runs_out_inside_a_unit() -> None:
    class Slow(idle.Tiny):  # type: ignore[misc]
        name = "idle"

        def advance(self, ask: Any, bout: Any) -> Any:
            for _ in range(9 if ask.tables is not None else 1):
                ask.roll(dice(1, 11), 0, "order", "TY-BOUT-01")
            return super().advance(ask, bout)

    with known_as(Slow()):
        found = tk.odds(IdleDuel(), lambda menu: idle.Fight(), seconds=0.2, battles=50)
    assert found.battles == 50 and sum(found.endings.values()) == pytest.approx(1)
    with pytest.raises(OverBudget, match=r"more than 0\.1 seconds"):
        Tables(seconds=0.1)(Slow().advance, Slow().start(IdleDuel()))


# ---- policies that mix ---------------------------------------------------------------


@pytest.mark.parametrize(
    "weights", [(), [("a", 1)], (("a", 0),), (("a", 1.0),), (("a", True),), ("ab",), 5]
)
def test_weights_that_are_none(weights: Any) -> None:
    with pytest.raises(ValueError, match=r"Mixed.*: expected"):
        Mixed(weights)


def test_a_mixing_policy_answers_the_same_after_undo_and_loading() -> None:
    straight = Game(THREE, seed=5).play(random_legal, 40)
    back = Game(THREE, seed=5).play(random_legal, 25)
    for _ in range(10):
        back.undo()
    assert back.play(random_legal, 10).words() == straight.words()[: len(back.words())]
    again = from_json(to_json(back)).play(random_legal, 15)
    assert again.words() == straight.words()
    assert len(again.nodes) == len(straight.nodes)
    aside = straight.branch()
    assert (
        aside.play(random_legal).words()
        != Game(THREE, seed=5).play(random_legal).words()
    )


# ---- films that grow long


def test_an_old_picture_is_drawn_again_where_somebody_goes_on_from_it() -> None:
    footbridge = formation.samples["footbridge"]
    game = Game(footbridge, seed=3)
    film = Film(game)
    film.new()
    game.play(formation.sensible, questions=12)
    film.new()
    assert len(film.frames) > 3 * DRAWN
    game.goto(0).answer(formation.Defend())
    _, at = film.new()
    picture: Any = {}
    line, frame = [], film.frames[at]
    while True:
        line.append(frame)
        if frame["parent"] < 0:
            break
        frame = film.frames[frame["parent"]]
    for frame in reversed(line):
        picture = applied(picture, frame.get("set", {}))
    active = game.system.active(game.state)
    assert picture == drawn(game.system.scene(game.state, Look(active=active)))


def long_film(questions: int) -> tuple[Game, Film]:
    """A film that followed so many answers of a battle that goes on."""
    base = formation.samples["footbridge"]
    hardy = tuple(replace(who, hp_max=9999) for who in base.combatants)
    game = Game(replace(base, combatants=hardy), seed=3)
    film = Film(game)
    follow(game, film, questions)
    return game, film


def follow(game: Game, film: Film, questions: int) -> None:
    for _ in range(questions):
        game.answer(next(iter(ask(game).values())))
        film.new()


def test_a_long_film_keeps_little_of_an_answer() -> None:
    game, film = long_film(300)

    def kept() -> int:
        gc.collect()
        return len(gc.get_objects())

    before = kept()
    follow(game, film, 300)
    assert (kept() - before) / 300 < 30, "objects an answer, those of the game with it"


def test_an_answer_is_shown_at_the_same_cost_however_many_went_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, film = long_film(200)
    looked_at: list[int] = []
    show = Film._record

    def looks(film: Film, record: Any, node: int, k: int, parent: int) -> int:
        looked_at.append(node)
        return show(film, record, node, k, parent)

    monkeypatch.setattr(Film, "_record", looks)
    before = len(film.frames)
    follow(game, film, 10)
    assert len(looked_at) < 2 * (len(film.frames) - before)


def line_of(film: Film, at: int) -> list[Any]:
    """What was said on the way to a frame."""
    said = []
    while at >= 0:
        frame = film.frames[at]
        said.append((frame["kind"], frame["say"], frame["heading"]))
        at = frame["parent"]
    return said[::-1]


@pytest.mark.parametrize("seed", range(4))
def test_a_film_that_followed_all_the_way_shows_what_a_new_one_shows(seed: int) -> None:
    random = Random(seed)
    game = Game(formation.samples["footbridge"], seed=seed)
    film = Film(game)
    for _ in range(60):
        act = random.choice(["answer", "answer", "answer", "undo", "redo", "goto"])
        if act == "undo":
            game.undo()
        elif act == "redo":
            game.redo()
        elif act == "goto":
            game.goto(random.randrange(len(game.nodes)))
        elif isinstance(game.ask, Menu):
            game.answer(random.choice(list(game.ask.values())))
        if random.random() < 0.7:
            anew = Film(game)
            assert line_of(film, film.new()[1]) == line_of(anew, anew.new()[1])


@pytest.mark.parametrize(
    "length", [0, 1, GROUP, 2 * GROUP - 1, 2 * GROUP, 5 * GROUP + 3]
)
def test_a_packed_list_reads_like_any_other(length: int) -> None:
    plain = [{"id": n, "at": {n: [n, None, "x"]}} for n in range(length)]
    kept = Packed()
    for item in plain:
        kept.append(item)
    assert len(kept) == length and list(kept) == plain and kept[:] == plain
    for cut in (slice(3, -3), slice(None, None, -7), slice(-5, None)):
        assert kept[cut] == plain[cut]
    for at in {0, length // 2, length - 1} if length else set():
        assert kept[at] == plain[at] and kept[at - length] == plain[at]
    for at in (length, -length - 1):
        with pytest.raises(IndexError):
            kept[at]


# ---- what is no argument -------------------------------------------------------------


def lost(_: Any) -> Any:
    raise RuntimeError("boom")


@pytest.mark.parametrize(
    "ways",
    [
        lambda: tk.autoplay(Game(SAMPLES["two"]), lost),
        lambda: tk.simulate(SAMPLES["two"], battles=1, policy=lost),
        lambda: tk.odds(SAMPLES["two"], policy=lost),
        lambda: Game(SAMPLES["two"]).play(by_side({}, lost), questions=1),
    ],
)
def test_what_a_policy_raises_names_it_and_the_question(ways: Any) -> None:
    with pytest.raises(RuntimeError, match="boom") as failed:
        ways()
    (note,) = failed.value.__notes__
    assert note.startswith("policy lost, asked skirmish.who_acts of side ")


@pytest.mark.parametrize(
    ("make", "tells"),
    [
        (
            lambda: Game(SAMPLES["two"], throws="no"),  # type: ignore[arg-type]
            "throws: expected True or False, got 'no'",
        ),
        (
            lambda: Game(SAMPLES["two"], standing=3),  # type: ignore[arg-type]
            "standing: expected answers .* got 3",
        ),
        (lambda: tk.outcomes("strike", 6, 4), "rule: expected .* got 'strike'"),  # type: ignore[arg-type]
        (lambda: tk.play("strike", 6, 4), "rule: expected .* got 'strike'"),  # type: ignore[arg-type]
        (
            lambda: tk.autoplay(SAMPLES["two"], sensible),  # type: ignore[arg-type]
            "game: expected a Game, such as",
        ),
    ],
)
def test_what_is_no_argument_is_refused_by_its_place(make: Any, tells: str) -> None:
    with pytest.raises(ValueError, match=tells):
        make()
