"""The system as a whole: its word, its pictures, its policies, its secrets."""

from __future__ import annotations

import random
import re
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.asking import Sampling
from tabletop_kit.core.conformance import check_system, house_ruled
from tabletop_kit.core.elements import drawn
from tabletop_kit.core.frames import Film, meta
from tabletop_kit.core.game import Game
from tabletop_kit.core.menus import Menu
from tabletop_kit.core.outcomes import PolicyError
from tabletop_kit.core.pictures import svg
from tabletop_kit.core.policies import random_legal
from tabletop_kit.core.scenes import Look, Rect, Token, Zone, text
from tabletop_kit.core.systems import NotThere
from tabletop_kit.labyrinth_battle import (
    LABYRINTH,
    Encounter,
    battles,
    damage,
    endings,
    estimates,
    moving,
    picture,
    positions,
    rounds,
    samples,
    sensible,
    states,
)
from tabletop_kit.labyrinth_battle.measures import BadStatus, Side
from tabletop_kit.labyrinth_battle.sheets import Combatant
from tabletop_kit.labyrinth_battle.states import State

COURT, FOE = Side
SMALL = ("duel", "cellar", "trapped_hall")
NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")


def played(name: str, seed: int, units: int = 60) -> list[State]:
    """The positions of a battle that the kit plays by itself."""
    ask, state = Sampling(f"{name}/{seed}", sensible), states.opening(samples[name])
    found = [state]
    for _ in range(units):
        if LABYRINTH.ending(state) is not None:
            break
        state = ask.unit(LABYRINTH, state)
        found.append(state)
    return found


# ---- its word ----------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL)
def test_random_battles_under_house_rules(name: str) -> None:
    checked = check_system(LABYRINTH, [samples[name]], battles=4, games=1, units=8_000)
    assert checked.battles == 4 and checked.thinkable > checked.questions > 0


@pytest.mark.parametrize("name", samples)
def test_the_policy_answers_what_is_legal_and_the_battle_ends(name: str) -> None:
    for seed in range(3):
        encounter = house_ruled(samples[name], random.Random(f"{name}/{seed}"))
        ask, state = Sampling(f"{name}/{seed}", sensible), states.opening(encounter)
        ask.trusted = False
        for _ in range(2_000):
            if LABYRINTH.ending(state) is not None:
                break
            state = ask.unit(LABYRINTH, state)
            positions.refuse_position(state)
        assert LABYRINTH.ending(state) in endings.WORDS.values()


def test_every_sample_has_a_note_and_a_title_of_its_own() -> None:
    assert set(battles.notes) == set(samples) and len(samples) >= 8
    titles = [encounter.title for encounter in samples.values()]
    assert len(set(titles)) == len(titles)


def test_the_same_seed_gives_the_same_battle() -> None:
    one, other = (Game(samples["cellar"], seed=3).play(sensible) for _ in range(2))
    assert one.words() == other.words() and one.state == other.state


# ---- what the court must not know --------------------------------------------------


def loud(sheet: Combatant) -> Combatant:
    """A sheet whose numbers stand nowhere else."""
    if sheet.monster_kind not in samples["humming_dark"].unidentified:
        return sheet
    return replace(sheet, hp_max=971, evasion=97, valor=98, wit=99, level=96)


LOUD = {"971", "96", "97", "98", "99"}
PLACES = ("id", "parent", "node", "set")
"""What holds numbers of its own: those of frames, and places of the board."""


def hum() -> Encounter:
    """Two monsters whose numbers would be heard."""
    dark = samples["humming_dark"]
    return replace(dark, combatants=tuple([loud(who) for who in dark.combatants]))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("policy", [sensible, random_legal])
def test_no_hidden_number_is_in_the_film_of_the_court(
    seed: int, policy: object
) -> None:
    game = Game(hum(), seed=seed)
    film = Film(game, "court")
    game.play(policy, questions=60)  # type: ignore[arg-type]
    film.new()
    page = set(NUMBER.findall(msgspec.json.encode(meta(game, "court")).decode()))
    assert not LOUD & page
    hidden = 0
    for number, frame in enumerate(film.frames):
        if len(film.state_at(number).unseen("court")) == 2:
            whole = set(NUMBER.findall(msgspec.json.encode(frame).decode()))
            assert "971" not in whole, frame.get("say")
            told = {k: v for k, v in frame.items() if k not in PLACES}
            said = set(NUMBER.findall(msgspec.json.encode(told).decode()))
            assert not LOUD & said, frame.get("say")
            hidden += 1
    assert hidden > 1


def test_the_board_of_the_court_keeps_it_back() -> None:
    dark = states.opening(hum())
    seen = text(picture.scene(dark.seen_by("court")))
    assert not LOUD & set(NUMBER.findall(seen)) and "HP unknown" in seen
    assert "971" in text(picture.scene(dark))
    opened = replace(dark, disclosed=("Hollow Choir",)).seen_by("court")
    assert "HP 971 of 971" in text(picture.scene(opened))


def test_a_policy_sees_no_more_than_who_is_asked() -> None:
    dark = replace(states.opening(hum()), phase="turns", first=COURT)
    seen = estimates.toughness(dark.seen_by("court"), 4)
    assert seen == estimates.UNKNOWN_HP
    assert estimates.dodging(dark.seen_by("court"), 4) == estimates.UNKNOWN_EVASION

    menu: Menu[object] = rounds.Actions(dark, 1)
    blind: Menu[object] = rounds.Actions(
        replace(dark, hp=(*dark.hp[:4], 3, *dark.hp[5:])), 1
    )
    assert sensible(menu) == sensible(blind)  # a hidden HP changes nothing


# ---- the board ---------------------------------------------------------------------


@pytest.mark.parametrize("name", samples)
def test_everybody_on_the_field_is_drawn_in_their_area(name: str) -> None:
    start = states.opening(samples[name])
    size = picture.scene(start).height
    for state in played(name, 1)[::6]:
        scene = picture.scene(state, Look(active=0))
        assert scene.height == size  # nothing jumps
        tokens = {item.id: item for item in scene.items if isinstance(item, Token)}
        here = [who for side in Side for who in state.on_field(side)]
        assert sorted(map(int, tokens)) == sorted(here)
        zones = {item.id: item for item in scene.items if isinstance(item, Zone)}
        for who, token in tokens.items():
            assert token.zone == picture.area_id(state.areas[int(who)])
            shape = zones[token.zone].shape
            assert isinstance(shape, Rect)
            assert shape.x < token.at[0] < shape.x + shape.w
            assert shape.y < token.at[1] < shape.y + shape.h
        assert drawn(scene) and svg(scene, theme="dark")


def test_nobody_is_drawn_over_another() -> None:
    state = states.opening(samples["great_hall"])
    for who in range(state.setup.count):
        state = state.put(who, 4)
    tokens = [one for one in picture.scene(state).items if isinstance(one, Token)]
    assert len({token.at for token in tokens}) == len(tokens) == 19
    for one in tokens:
        close = [
            other
            for other in tokens
            if other is not one
            and abs(other.at[0] - one.at[0]) < 2 * picture.RADIUS
            and abs(other.at[1] - one.at[1]) < 2 * picture.RADIUS
        ]
        assert not close


def test_a_latecomer_is_drawn_when_it_has_come() -> None:
    state = states.opening(samples["cellar"])
    names = [
        item.name for item in picture.scene(state).items if isinstance(item, Token)
    ]
    assert "Latecomer 1" not in names
    late = state.setup.count
    came = replace(state, joined=(4,)).put(late, 5).with_hp(late, 3)
    names = [item.name for item in picture.scene(came).items if isinstance(item, Token)]
    assert "Latecomer 1" in names
    assert LABYRINTH.hit_points(came, late) == (3, 5)
    assert LABYRINTH.hit_points(state, late) is None


# ---- the order, and places by hand -------------------------------------------------


def test_the_order_has_the_first_side_in_front() -> None:
    state = replace(states.opening(samples["cellar"]), phase="turns", first=FOE)
    assert LABYRINTH.order(state) == (3, 4, 5, 0, 1, 2)
    assert LABYRINTH.order(state.dies(3)) == (4, 5, 0, 1, 2)
    unsettled = replace(state, phase="tactics", first=None)
    assert LABYRINTH.order(unsettled) == (0, 1, 2, 3, 4, 5)
    assert LABYRINTH.active(state) is None
    alone = replace(state, acted=(3, 4))
    assert LABYRINTH.active(alone) == 5
    for phase, first in (("turns", FOE), ("ambush", None)):
        picked = replace(state, phase=phase, first=first, picked=4)
        assert LABYRINTH.active(picked) == 4
    assert LABYRINTH.note(alone, 3) == "has acted"
    assert LABYRINTH.note(state.gains(0, BadStatus.CURSE), 0) == "cursed"


def test_a_film_shows_who_was_picked_and_how_far_they_reach() -> None:
    game = Game(samples["gutter"], seed=3)
    film = Film(game, "gm")
    while game.ask is not None and game.ask.name != moving.Moves.name:
        game.play(sensible, questions=1)
    assert game.ask is not None
    who = game.ask.who
    assert LABYRINTH.active(game.state) == who and game.state.picked == who
    film.new()
    taken, asking = film.frames[-2], film.frames[-1]
    assert taken["active"] == who and taken["heading"].endswith("turn 1")
    assert "reach" in str(taken["set"])
    assert asking["kind"] == "ask" and asking["heading"] == taken["heading"]

    game.play(sensible, questions=1)
    film.new()
    step = film.frames[asking["id"] + 1 :]
    assert len(step) >= 2 and game.ask.name == rounds.Actions.name
    assert all(frame.get("active", who) == who for frame in step)


def test_turns_are_counted_within_their_round() -> None:
    game = Game(samples["cellar"], seed=3)
    film = Film(game, "gm")
    while game.ask is not None:
        game.play(sensible, questions=1)
    film.new()
    headings = [*dict.fromkeys(frame["heading"] for frame in film.frames)]
    rounds_begun = [h for h in headings if h.startswith("Round") and "," not in h]
    assert rounds_begun == [f"Round {n}" for n in range(1, len(rounds_begun) + 1)]
    turns = headings[headings.index("Round 1") + 1 : headings.index("Round 2")]
    assert turns == [f"Round 1, turn {n}" for n in range(1, len(turns) + 1)]
    assert "Round 2, turn 1" in headings and headings[-1] == "End"


@pytest.mark.parametrize("fate", ["has acted", "down", "dead", "asleep", "nobody"])
def test_a_position_has_nobody_picked_who_cannot_act(fate: str) -> None:
    cellar = replace(states.opening(samples["cellar"]), phase="turns", first=COURT)
    picked = replace(cellar, picked=1)
    positions.refuse_position(picked)
    wrong = {
        "has acted": picked.done(1),
        "down": replace(picked.falls(1), acted=()),
        "dead": replace(picked.dies(1), acted=()),
        "asleep": picked.gains(1, BadStatus.SLEEP),
        "nobody": replace(picked, picked=99),
    }
    with pytest.raises(ValueError, match="picked: expected None, or who takes"):
        positions.refuse_position(wrong[fate])
    between = replace(picked, phase="tactics", first=None)
    with pytest.raises(ValueError, match="picked"):
        positions.refuse_position(between)


def test_nobody_is_put_where_no_battle_can_begin() -> None:
    cellar = samples["cellar"]
    with pytest.raises(NotThere) as refused:
        LABYRINTH.placed(cellar, 3, "area2", (0, 0))
    assert [reason.clause for reason in refused.value.reasons] == ["LB-SET-06"]
    with pytest.raises(ValueError, match="six areas"):
        LABYRINTH.placed(cellar, 3, "elsewhere", (0, 0))
    moved = LABYRINTH.placed(cellar, 0, "area6", (0, 0))
    assert isinstance(moved, Encounter) and moved.placement[0] == 6


# ---- battles that nobody could end -------------------------------------------------


def test_a_battle_ends_when_everybody_sleeps() -> None:
    state = replace(states.opening(samples["cellar"]), phase="turns", first=COURT)
    for who in range(6):
        state = state.gains(who, BadStatus.SLEEP).done(who)
    assert endings.is_deadlocked(state) and not endings.is_decided(state)
    ask = Sampling(0, random_legal)
    ended = rounds.advance(ask, state)
    assert ended.outcome == "draw"
    over = rounds.advance(ask, ended)
    assert LABYRINTH.ending(over) == "draw" and not over.statuses
    awake = state.cured(3, BadStatus.SLEEP)
    assert not endings.is_deadlocked(awake)  # it has a cleaver in hand
    assert endings.is_deadlocked(awake.with_carried(3, ()))
    both = awake.cured(0, BadStatus.SLEEP).with_carried(3, ()).with_carried(0, ())
    assert not endings.is_deadlocked(both)  # each side has somebody awake


def test_an_answer_of_equal_value_but_another_type_is_refused_by_its_place() -> None:
    game = Game(samples["cellar"], seed=1)
    while game.ask is not None and game.ask.name != damage.Hopes.name:
        game.play(sensible, questions=1)
    for points in (True, 2.0):
        with pytest.raises(ValueError, match=r"Expected `int`, got .*\$\.points"):
            game.answer(damage.SpendHope(points))  # type: ignore[arg-type]
    here = game.here
    game.answer(damage.SpendHope(1))
    assert game.nodes[here].question != damage.Hopes.name


def test_a_policy_without_an_answer_is_named_where_odds_are_counted() -> None:
    with pytest.raises(PolicyError, match=r"representatives: None is refused"):
        tk.odds(samples["cellar"], policy=lambda menu: None)


@pytest.mark.parametrize(
    ("wrong", "tells"),
    [
        ({"areas": (9,) * 12}, "at: state.areas: Expected `int` <= 6"),
        ({"hp": (99, *(1,) * 5, *(0,) * 6)}, "at: hp of Pim: expected at most 12"),
        ({"followers": (5,)}, "at: followers: expected 12, one a combatant"),
        ({"hope": (-1,) * 12}, "at: state.hope: Expected `int` >= 0"),
        ({"picked": 99}, "at: picked: expected None, or who takes the next turn"),
        ({"statuses": ((99, BadStatus.POISON),)}, "at: statuses: expected only of the"),
    ],
)
def test_a_battle_begins_at_no_position_that_cannot_be(
    wrong: dict[str, Any], tells: str
) -> None:
    encounter = samples["cellar"]
    at = replace(states.opening(encounter), phase="turns", first=COURT, **wrong)
    for begin in (Game, tk.study, tk.odds):
        with pytest.raises(ValueError, match=tells):
            begin(encounter, at=at)


def test_nobody_surrenders_for_a_side_that_a_policy_plays() -> None:
    at = replace(states.opening(samples["cellar"]), phase="turns", first=COURT)
    alone = tk.study(samples["cellar"], at=at, viewer="court", opponents=sensible)
    assert [offer["who"] for offer in alone.film.frames[-1]["offers"]] == ["court"]
    both = tk.study(samples["cellar"], at=at)
    assert [offer["who"] for offer in both.film.frames[-1]["offers"]] == [
        "court",
        "foe",
    ]
    theirs = both.film.frames[-1]["offers"][1]
    key = theirs["kinds"][0]["options"][0]["key"]
    said: list[dict[str, Any]] = []
    alone.send = lambda content, buffers=None: said.append(content)  # type: ignore[method-assign]
    take = {"ask": "take", "frame": alone.at, "offer": theirs["number"], "key": key}
    alone._hear(alone, take, [])
    assert said[0]["tell"] == "error" and "not yours to take up" in said[0]["text"]
    assert alone.game.ask is not None
