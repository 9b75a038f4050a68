"""The study's side in the kernel: offers, odds of several, notes, who acts. No browser."""

import asyncio
import json
import re
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import skirmish

import tabletop_kit as tk
from tabletop_kit import formation, labyrinth_battle
from tabletop_kit.core.frames import Film
from tabletop_kit.core.game import Game
from tabletop_kit.core.menus import Menu
from tabletop_kit.core.outcomes import Tables
from tabletop_kit.formation import magic
from tabletop_kit.labyrinth_battle import rounds
from tabletop_kit.labyrinth_battle.tactics import sensible
from tabletop_kit.widgets.study import DRAWN, Study, option_odds, unrolled

POLICY = formation.sensible
FOOTBRIDGE = formation.samples["footbridge"]


def heard(study: Study, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """What the kernel tells the page when it hears these."""
    told: list[dict[str, Any]] = []
    study.send = lambda content, *_: told.append(content)  # type: ignore[method-assign]
    for message in messages:
        study._hear(study, message, [])
    return json.loads(json.dumps(told))  # type: ignore[no-any-return]


# ---- offers


def in_a_thread_of_its_own(work: Coroutine[Any, Any, None]) -> None:
    """Where a browser was tested before, this thread has a loop already."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


def declared(study: Study) -> dict[str, Any]:
    (offer, _) = study.film.frames[study.at]["offers"]
    key = offer["kinds"][0]["options"][0]["key"]
    return {"ask": "take", "frame": study.at, "offer": 1, "key": key}


def test_offers_stand_beside_the_question() -> None:
    study = tk.study(skirmish.SAMPLES["two"], seed=1)
    asked = study.film.frames[study.at]
    assert [(o["number"], o["who"], o["asks"]) for o in asked["offers"]] == [
        (0, "side 0", "Surrender?"),
        (1, "side 1", "Surrender?"),
    ]
    assert asked["offers"][0]["clause"] == "SK-END-02"
    assert all(
        not option["refused"]
        for offer in asked["offers"]
        for kind in offer["kinds"]
        for option in kind["options"]
    )
    assert "offers" not in tk.study(FOOTBRIDGE).film.frames[-1]


def test_offers_stand_in_the_static_form_too() -> None:
    shown = unrolled(Game(skirmish.SAMPLES["two"], seed=1))
    words = "May also be declared by side 0: surrender."
    assert words in shown["text/plain"] and words in shown["text/html"]


def test_what_is_allowed_stands_before_what_is_refused() -> None:
    html = unrolled(Game(formation.samples["footbridge"], seed=7))["text/html"]
    marks = re.findall(r"<summary[^>]*>([^<]*)</summary>", html)
    allowed = [not mark.endswith("(refused)") for mark in marks]
    assert allowed == sorted(allowed, reverse=True) and {*allowed} == {True, False}
    assert marks[0] == "attack Brute"


def test_no_order_tells_a_guesser_what_is_refused() -> None:
    game = Game(formation.samples["footbridge"], seed=7)
    html = unrolled(game, blind=True)["text/html"]
    marks = re.findall(r"<summary[^>]*>([^<]*)</summary>", html)
    assert marks[:3] == ["attack Ren", "attack Mio", "attack Brute"]


@pytest.mark.parametrize("blind", [False, True])
def test_the_names_of_spells_are_read_without_a_click(blind: bool) -> None:
    game = Game(formation.samples["familiars"], seed=1)
    assert isinstance(game.ask, Menu)
    uses = [value for value in game.ask.thinkable() if isinstance(value, magic.Use)]
    assert len({use.ability for use in uses}) > 1
    html = unrolled(game, blind=blind)["text/html"]
    for name in {use.ability for use in uses}:
        before = html[: html.index(f">{name}")]
        assert before.count("<details") - before.count("</details") == 1, name


def test_an_offer_is_taken_in_the_page() -> None:
    study = tk.study(skirmish.SAMPLES["two"], seed=1)
    (told,) = heard(study, declared(study))
    assert told["tell"] == "frames"
    assert [frame["kind"] for frame in told["frames"]] == ["choice", "event", "end"]
    assert told["frames"][0]["name"] == "skirmish.surrender"
    assert study.game.ask is None and study.game.state.gave_up == 1
    assert study.game.nodes[study.game.here].passed == 1


@pytest.mark.parametrize(
    ("change", "tells"),
    [
        ({"offer": 2}, "offer: expected one of 2, got 2"),
        ({"offer": -1}, "offer: expected one of 2, got -1"),
        ({"offer": True}, "offer: expected one of 2, got True"),
        ({"offer": None}, "offer: expected one of 2, got None"),
        ({"frame": 99}, "frame: expected 0 to"),
        ({"frame": True}, "frame: expected 0 to"),
        ({"key": "{"}, "DecodeError"),
    ],
)
def test_what_is_no_offer_is_refused(change: dict[str, Any], tells: str) -> None:
    study = tk.study(skirmish.SAMPLES["two"], seed=1)
    here, nodes = study.game.here, len(study.game.nodes)
    (told,) = heard(study, declared(study) | change)
    assert told["tell"] == "error" and tells in told["text"]
    assert (study.game.here, len(study.game.nodes)) == (here, nodes)


def test_a_refusal_is_told_with_its_offer(monkeypatch: pytest.MonkeyPatch) -> None:
    study = tk.study(skirmish.SAMPLES["two"], seed=1)
    monkeypatch.setattr(Menu, "allows", lambda *_: False)
    monkeypatch.setattr(Menu, "why_not", lambda *_: (skirmish.DOWN(),))
    monkeypatch.setattr(study.game, "offers", lambda: [m for m, _ in study.game._open])
    (told,) = heard(study, declared(study))
    assert told["tell"] == "refused" and told["offer"] == 1
    assert told["reasons"][0]["words"] == "It has fallen already."


# ---- odds


def test_the_fates_of_several() -> None:
    game = Game(formation.samples["six_thieves"], seed=1).play(POLICY, 7)
    fates = option_odds(game, magic.Use("ember rain", "enemy front"), POLICY)
    assert fates and sorted(fates) == [4, 5, 7]
    for fate in fates.values():
        whole = sum(fate[name] for name in ("none", "hurt", "down", "unresolved"))
        assert abs(whole - 1) < 1e-9 and fate["mean"] < 0
    assert fates[4]["down"] > fates[5]["down"] > fates[7]["down"] > 0


def test_too_many_ways_to_count_are_drawn() -> None:
    game = Game(formation.samples["six_thieves"], seed=1).play(POLICY, 7)
    rain = magic.Use("ember rain", "enemy front")
    exact = option_odds(game, rain, POLICY)
    drawn = option_odds(game, rain, POLICY, book=Tables(POLICY, limit=10))
    assert exact and drawn and drawn.keys() == exact.keys()
    for who, fate in drawn.items():
        assert fate["drawn"] == DRAWN and "drawn" not in exact[who]
        assert abs(fate["down"] - exact[who]["down"]) < 0.1  # 4 standard errors
        assert abs(fate["mean"] - exact[who]["mean"]) < 1.2
    again = option_odds(game, rain, POLICY, book=Tables(POLICY, limit=10))
    assert again == drawn
    spent = Tables(POLICY, limit=10)
    spent.end = 0
    assert option_odds(game, rain, POLICY, book=spent) is None


# ---- notes


def test_a_note_at_the_step_that_is_shown() -> None:
    study = tk.study(FOOTBRIDGE, seed=7)
    study.note("  First look.  ")
    study.game.answer(formation.Attack("Brute"))
    study.note("And now?")  # what was played meanwhile is shown
    study.at = 0  # the page goes back
    study.note("The beginning")
    assert [(n["node"], n["step"], n["text"]) for n in study.notes] == [
        (0, 0, "The beginning"),
        (0, "now", "First look."),
        (study.game.here, "now", "And now?"),
    ]
    study.note("", frame=0)
    study.note("Another", frame=study.notes[0]["frame"])
    assert [n["text"] for n in study.notes] == ["Another", "And now?"]


def test_the_page_writes_notes_and_nothing_else_does() -> None:
    study = tk.study(FOOTBRIDGE, seed=7)
    assert not heard(study, {"ask": "note", "frame": 1, "text": "<b>Look</b>"})
    assert study.notes[0]["text"] == "<b>Look</b>"
    for wrong in (5, None, ["a"], "x" * 2001):
        (told,) = heard(study, {"ask": "note", "frame": 1, "text": wrong})
        assert "text: expected at most 2000 signs" in told["text"]
    (told,) = heard(study, {"ask": "note", "text": "nowhere"})
    assert told["tell"] == "error"
    (told,) = heard(study, {"ask": "note", "frame": 400, "text": "nowhere"})
    assert "frame: expected 0 to" in told["text"]
    assert [n["text"] for n in study.notes] == ["<b>Look</b>"]


def test_a_replay_takes_the_notes_along() -> None:
    study = tk.study(FOOTBRIDGE, seed=7)
    study.note("Who can reach her?")
    study.game.answer(formation.Attack("Brute"))
    miss = next(
        frame["id"] for frame in study.film.new()[0] if "misses" in str(frame["say"])
    )
    study.note("</script>&", frame=miss)
    replay = tk.Replay(study.game, notes=study.notes)
    noted = {n["text"]: replay.frames[n["frame"]] for n in replay.meta["notes"]}
    assert noted["Who can reach her?"]["kind"] == "ask"
    assert "misses" in str(noted["</script>&"]["say"])
    assert "</script>&" not in replay.html()
    assert "notes" not in tk.Replay(study.game).meta


# ---- who acts, and what is cited


def acting(film: Film) -> dict[int, int | None]:
    found: dict[int, int | None] = {}
    for frame in film.frames:
        found[frame["id"]] = (
            frame["active"] if "active" in frame else found[frame["parent"]]
        )
    return found


def test_whoever_acts_does_so_until_the_unit_ends() -> None:
    game = Game(formation.samples["familiars"], seed=1)
    film = Film(game)
    reactions = 0
    for _ in range(14):
        film.new()
        game.play(POLICY, questions=1)
    film.new()
    active = acting(film)
    for frame in film.frames:
        asked = frame.get("question", {}).get("name")
        if asked == "formation.action":
            assert active[frame["id"]] == frame["question"]["who"]
        elif asked:
            reactions += active[frame["id"]] not in (None, frame["question"]["who"])
        if frame["kind"] in ("roll", "choice") and "Turn" in frame["heading"]:
            before = film.frames[frame["parent"]]
            if before["kind"] != "event":
                assert active[frame["id"]] == active[before["id"]]
    assert reactions >= 2
    hit = next(f for f in film.frames if f["kind"] == "event" and f["say"][0] == 3)
    assert active[hit["id"]] == 3 and hit["say"][1] == " hits "


def test_every_clause_that_is_cited_has_its_words() -> None:
    for encounter in formation.samples.values():
        game = Game(encounter, seed=2)
        study = tk.study(game)
        while game.ask is not None and len(game.nodes) < 25:
            game.play(POLICY, questions=1)
            study.film.new()
        cited: set[str] = set()
        for frame in study.film.frames:
            cited |= {*frame["clauses"]}
            kinds = frame.get("question", {}).get("kinds", [])
            cited |= {kind["clause"] for kind in kinds}
            for option in (option for kind in kinds for option in kind["options"]):
                cited |= {reason["clause"] for reason in option["reasons"]}
        assert cited <= {*study.meta["clauses"]}


def test_a_step_whose_policy_is_refused_says_so() -> None:
    study = tk.study(FOOTBRIDGE, policy=lambda menu: None)
    said = heard(study, {"ask": "play", "how": "step", "frame": study.at})
    assert [message["tell"] for message in said] == ["error"]
    assert "None" in said[0]["text"] and "stands as it was" in said[0]["text"]


def test_a_turn_is_played_to_its_end_from_the_pick_that_begins_it() -> None:
    study = tk.study(labyrinth_battle.samples["gutter"], seed=3, policy=sensible)
    while study.game.ask is not None and study.game.ask.name != rounds.Picks.name:
        study.game.play(sensible, questions=1)
    study.film.new()
    before = len(study.film.frames)
    in_a_thread_of_its_own(study._play_on(True))
    played = study.film.frames[before:]
    assert {frame["heading"] for frame in played} == {"Round 1", "Round 1, turn 1"}
    assert played[-1]["question"]["name"] == rounds.Picks.name

    while study.game.ask.name != rounds.Actions.name:
        study.game.play(sensible, questions=1)
    in_a_thread_of_its_own(study._play_on(True))
    assert study.film.frames[-1]["heading"] == "Round 1, turn 2"
    assert study.game.ask.name == rounds.Picks.name


def test_pages_are_told_in_words_what_a_clause_is() -> None:
    clauses = tk.study(FOOTBRIDGE).meta["clauses"]
    kinds = {one["kind"] for one in clauses.values()}
    assert {"rule", "table", "optional rule", "the game master decides"} <= kinds
    assert not kinds & {"gm", "option"}


@pytest.mark.parametrize(
    ("make", "tells"),
    [
        (
            lambda: tk.study(Game(FOOTBRIDGE), seed=5),
            "seed: expected none beside a game",
        ),
        (lambda: tk.study(Game(FOOTBRIDGE), throws=False), "throws: expected none"),
        (lambda: tk.study(FOOTBRIDGE, title=3), "title: expected text, got 3"),  # type: ignore[arg-type]
        (lambda: tk.study(FOOTBRIDGE, blind="no"), "blind: expected True or False"),  # type: ignore[arg-type]
        (lambda: tk.study(FOOTBRIDGE, policy="best"), "policy: expected a function"),  # type: ignore[arg-type]
        (lambda: tk.study(FOOTBRIDGE, opponents=3), "policy: expected a function"),  # type: ignore[arg-type]
        (lambda: tk.Replay(FOOTBRIDGE), "game: expected a Game that was played"),  # type: ignore[arg-type]
        (lambda: tk.Replay(Game(FOOTBRIDGE), title=3), "title: expected text, got 3"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_argument_is_refused_by_its_place(make: Any, tells: str) -> None:
    with pytest.raises(ValueError, match=tells):
        make()


def test_the_page_is_told_which_policy_failed_at_what() -> None:
    def lost(_: Menu[Any]) -> Any:
        raise RuntimeError("boom")

    study = tk.study(FOOTBRIDGE, seed=7, opponents=lost)
    frame = study.film.frames[study.at]
    options = [o for kind in frame["question"]["kinds"] for o in kind["options"]]
    key = next(option["key"] for option in options if not option["refused"])
    told = heard(study, {"ask": "answer", "frame": study.at, "key": key})
    (error,) = [one for one in told if one["tell"] == "error"]
    asked = study.game.state.setup.name_of(study.game.ask.who)  # type: ignore[union-attr,arg-type]
    assert error["text"].startswith("RuntimeError: boom. policy ")
    assert f"lost, asked formation.actions of {asked}. The battle" in error["text"]
