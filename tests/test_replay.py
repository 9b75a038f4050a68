"""Replays: what is in the file, for whom, and how much of it. No browser."""

import base64
import json
import re
import zlib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import campaign
import pytest
import skirmish
from msgspec.structs import replace
from skirmish import Encounter, Sheet, sensible

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.core.frames import Film
from tabletop_kit.core.game import Game, autoplay
from tabletop_kit.core.menus import Menu
from tabletop_kit.widgets import replay as module

FOOTBRIDGE = formation.samples["footbridge"]
POLICY = formation.sensible
NASTY = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "Ann & 'Ben' \"C\"\u2028${x}\\",
    "<img src=x onerror=alert(1)>",
)


def played(**more: Any) -> Game:
    return Game(FOOTBRIDGE, seed=7, **more).play(POLICY)


def with_a_branch() -> Game:
    """The footbridge, and what if the second throw had been a double six."""
    game = played()
    end = game.here
    game.branch(at=game.rolls()[1].node, faces=(6, 6)).play(POLICY)
    return game.goto(end)


def in_file(html: str) -> dict[str, Any]:
    found = re.search(r'id="replay">(.*?)</script>', html, re.S)
    assert found
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(found[1])))
    return data


def squeezed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data)).decode()


def told(replay: tk.Replay, kind: str) -> list[dict[str, Any]]:
    return [frame for frame in replay.frames if frame["kind"] == kind]


def everything(replay: tk.Replay) -> str:
    """Whatever leaves the kernel, the pictures opened."""
    static = replay._static()
    pictures = re.findall(r"base64,([A-Za-z0-9+/=]+)", static)
    opened = [base64.b64decode(one).decode() for one in pictures]
    state = replay.get_state(["meta", "frames", "at"])
    words = json.dumps(state, ensure_ascii=False)
    html = replay.html()
    file = json.dumps(in_file(html), ensure_ascii=False)
    return "\n".join([html, file, static, *opened, words, replay.words()])


# ---- how much


def test_two_hundred_events_are_well_under_300_kb() -> None:
    game = Game(formation.samples["six_thieves"], seed=1).play(POLICY)
    replay = tk.Replay(game)
    assert len(game.records()) > 150
    assert len(replay.html().encode()) < 220_000
    for at in (60, 50, 40, 30, 20):
        if len(told(replay, "event")) < 200:
            game.goto(0).branch(at=at).play(POLICY)
            replay = tk.Replay(game)
    assert len(told(replay, "event")) >= 200
    assert len(replay.html().encode()) < 220_000


def test_a_long_battle_of_ten_is_well_under_300_kb() -> None:
    thieves = formation.samples["six_thieves"]
    tough = [replace(c, hp_max=3 * c.hp_max) for c in thieves.combatants]
    game = Game(replace(thieves, combatants=tuple(tough)), seed=1).play(POLICY)
    assert len(game.events()) > 150 and len(game.records()) > 300
    assert len(tk.Replay(game).html().encode()) < 220_000


def test_only_rules_that_are_cited_and_answers_that_were_given() -> None:
    game = with_a_branch()
    replay = tk.Replay(game)
    film = Film(game)
    film.new()
    known = {c for frame in film.frames for c in frame["clauses"]}
    assert known <= {*replay.meta["clauses"]}
    assert "FM-ACT-04" in known and "FM-TALK-01" not in replay.meta["clauses"]
    choices = {(f["parent"], f["key"]) for f in told(replay, "choice")}
    asked = told(replay, "ask")
    offered = [
        (f["parent"], option["key"])
        for f in asked
        for kind in f["question"]["kinds"]
        for option in kind["options"]
    ]
    assert sorted(offered) == sorted(choices) and asked
    assert all("refused" not in str(f["question"]) for f in asked)
    assert not [f for f in replay.frames if "node" in f or "node" in f.get("dice", {})]


# ---- what is in it


def scenes(frames: list[dict[str, Any]], end: int) -> list[dict[str, Any]]:
    """The board along the line to a frame, as a page puts it together."""
    line, at = [], end
    while at >= 0:
        line.append(frames[at])
        at = frames[at]["parent"]
    board: dict[str, Any] = {}
    out = []
    for frame in reversed(line):
        board = dict(board)
        for name, change in frame.get("set", {}).items():
            if change is None:
                del board[name]
                continue
            tag, changes, text = change
            old = board.get(name, [tag, {}, ""])
            attributes = {**(old[1] if old[0] == tag else {}), **changes}
            kept = {k: v for k, v in attributes.items() if v is not None}
            board[name] = [tag, kept, text]
        out.append(board)
    return out


def test_the_boards_are_those_of_the_film() -> None:
    game = played()
    film = Film(game)
    _, end = film.new()
    replay = tk.Replay(game)
    mine = scenes(replay.frames, replay._end)
    others = scenes(film.frames[:], end)
    assert json.dumps(mine) == json.dumps(others) and len(mine) > 50
    said = [module._joined(frame["say"]) for frame in film.frames]
    assert [f["say"] for f in replay.frames if f["kind"] != "ask"] == said


def test_frames_come_in_order_and_a_question_before_its_answer() -> None:
    replay = tk.Replay(with_a_branch())
    assert [frame["id"] for frame in replay.frames] == [*range(len(replay.frames))]
    assert all(frame["parent"] < frame["id"] for frame in replay.frames)
    for choice in told(replay, "choice"):
        before = replay.frames[choice["id"] - 1]
        assert before["kind"] == "ask" and before["parent"] == choice["parent"]
    assert len(told(replay, "end")) == 2


def test_the_line_the_game_stands_on_comes_first() -> None:
    game = with_a_branch()
    words = game.words()
    replay = tk.Replay(game)
    events = [w for w in replay.words().splitlines() if w in words]
    assert events == words
    (first, other) = told(replay, "end")
    assert first["id"] == replay._end < other["id"]
    alone = tk.Replay(game, branches=False)
    assert len(told(alone, "end")) == 1 and alone.words() == replay.words()
    assert len(told(tk.Replay(game, viewer="pc"), "end")) == 1
    assert len(told(tk.Replay(game, viewer="pc", branches=True), "end")) == 2


def test_the_game_stays_as_it_was() -> None:
    game = with_a_branch().goto(9)
    before = (game.here, len(game.nodes), game.state, game.words(), repr(game))
    ask, lasts = game.ask, [node.last for node in game.nodes]
    replay = tk.Replay(game)
    assert before == (game.here, len(game.nodes), game.state, game.words(), repr(game))
    assert game.ask is ask and [node.last for node in game.nodes] == lasts
    assert replay.words().count("\n") > 40  # on to the end of the line


def test_an_offer_that_was_taken_up_is_an_answer_without_a_question() -> None:
    game = Game(skirmish.SAMPLES["two"], seed=2)
    autoplay(game, sensible, until=lambda g: bool(g.offers()))
    offer = game.offers()[0]
    game.take(offer, next(offer.values())).play(sensible, 3)
    replay = tk.Replay(game)
    asked = {f["parent"]: f["question"] for f in told(replay, "ask")}
    loose = [f for f in told(replay, "choice") if "key" not in f]
    assert loose and all(f["parent"] not in asked for f in loose)


@pytest.mark.parametrize("begin", [True, False])
def test_a_game_that_is_not_over(begin: bool) -> None:
    game = Game(FOOTBRIDGE, seed=7)
    if not begin:
        game.play(POLICY, questions=5)
    replay = tk.Replay(game)
    last = replay.frames[replay._end]
    assert last["kind"] == "ask" and last["question"]["kinds"] == []
    assert "What do you do?" in replay.words().splitlines()[-1]
    assert in_file(replay.html())["meta"]["live"] is False


def test_dice_nobody_has_thrown() -> None:
    game = Game(FOOTBRIDGE, seed=7, throws=False).play(POLICY)
    last = tk.Replay(game).frames[-1]
    assert last["kind"] == "wait" and last["dice"]["faces"] is None
    assert last["dice"]["count"] == 2


def test_a_game_of_one_position() -> None:
    game = Game(FOOTBRIDGE, at=played().state)
    ending = game.system.ending_words(game.state)
    assert ending == "victory for Bridge gang"
    assert tk.Replay(game).words().splitlines()[-1] == f"The battle is over: {ending}."


# ---- for whom


def secret_games() -> Iterator[tuple[str, Game, tuple[Any, ...], tuple[Any, ...]]]:
    fight = Game(skirmish.SAMPLES["secret"], seed=9).play(sensible, 24)
    yield "skirmish", fight, ("side 0", 0, 1), ("gm", "side 1", 3)
    war = Game(campaign.ESCORTED, seed=2)
    yield "campaign", war.play(campaign.marching, 60), ("side 0", 0), ("gm", "side 1")


SECRETS = ("7717", "3301", "8123")


def test_nothing_hidden_is_in_a_players_file() -> None:
    for _, game, players, masters in secret_games():
        for viewer in players:
            text = everything(tk.Replay(game, viewer=viewer, branches=True))
            assert [secret for secret in SECRETS if secret in text] == []
        for viewer in masters:
            assert "7717" in everything(tk.Replay(game, viewer=viewer))


def test_at_each_stop_of_a_fight_with_a_hidden_sheet() -> None:
    game = Game(skirmish.SAMPLES["secret"], seed=9)
    waits = 0
    for _ in range(30):
        if game.ask is None:
            break
        game.play(sensible, 1)
        replay = tk.Replay(game, viewer="side 0")
        text = replay.html()
        assert [secret for secret in SECRETS if secret in text] == []
        asked = game.ask
        if isinstance(asked, Menu) and asked.who == 2:
            waits += 1
            assert replay.frames[-1]["kind"] == "wait"
            assert "question" not in replay.frames[-1]
    assert waits
    who = [f["question"]["who"] for f in told(replay, "ask")]
    assert 2 not in who and 0 in who


def test_a_name_from_nowhere_may_not_look() -> None:
    with pytest.raises(ValueError, match="viewer: expected 'gm'"):
        tk.Replay(played(), viewer="dragon")


def test_the_head_says_for_whom() -> None:
    game = played()
    heads = {v: tk.Replay(game, viewer=v).meta["system"] for v in ("gm", "pc", 0)}
    assert heads["gm"].endswith("· replay")
    assert heads["pc"] == "Replay for Wayfarers"
    assert heads[0] == f"Replay for {FOOTBRIDGE.names[0]}"


# ---- whatever somebody is called


def nasty_fight() -> Game:
    one, two, three, four = (
        Sheet(name, 1 if n % 2 else 0, 14, 3, 2, row=1 + n % 2)
        for n, name in enumerate(NASTY)
    )
    fight = Encounter((one, two, three, four))
    return Game(fight, seed=3).play(sensible, 20)


def test_names_are_text() -> None:
    replay = tk.Replay(nasty_fight(), title=NASTY[0])
    html = replay.html()
    assert html.count("</script>") == 2 and html.count("<script") == 2
    assert "<!--" not in html and "<img" not in html and "\u2028" not in html
    data = in_file(html)
    assert [person["name"] for person in data["meta"]["people"]] == [*NASTY]
    assert data["meta"]["title"] == NASTY[0]
    static = replay._static()
    before, after = static.split("srcdoc='")
    seen = Tags(before + after.split("'", 1)[1])
    plain = {"iframe", "style", "div", "img", "p", "span", "details", "summary"}
    assert {*seen.tags} == plain
    assert seen.tags.count("img") == 2 and "onerror" not in seen.attributes


class Tags(HTMLParser):
    """The tags and attributes of a text, in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}


def test_the_file_asks_nothing_of_anybody() -> None:
    html = tk.Replay(played()).html()
    assert "default-src 'none'" in html
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", html)
    assert not re.search(r"\b(src|href)=|@import|url\((?!#|data:)", html)


# ---- written, read, shown


def test_a_file_is_opened_again(tmp_path: Path) -> None:
    file = tmp_path / "fight.html"
    replay = tk.Replay(with_a_branch(), title="The bridge")
    replay.save(file)
    again = tk.Replay.load(file)
    assert again.html() == replay.html() == file.read_text("utf-8")
    assert repr(again) == repr(replay) == "Replay('The bridge', 59 steps)"
    assert "<iframe" in again._static()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<html></html>",
        "{}",
        '{"frames": [], "shared": [], "ids": [], "end": 0, "meta": {}}',
        '{"frames": [{"$": 0}], "shared": [{"$": 0}], "ids": [], "end": 0, "meta": {}}',
        '{"frames": [{"parent": 3}], "shared": [], "ids": [], "end": 0, "meta": {}}',
    ],
)
def test_what_is_no_replay_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.html"
    for inside in (text, squeezed(text.encode()), squeezed(text.encode())[:-8]):
        file.write_text(f'<script type="text/plain" id="replay">{inside}</script>')
        with pytest.raises(ValueError, match="expected a replay"):
            tk.Replay.load(file)


def test_what_is_too_long_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "long.html"
    tk.Replay(played()).save(file)
    monkeypatch.setattr(module, "_MOST", 1000)
    with pytest.raises(ValueError, match="expected at most 1000 bytes"):
        tk.Replay.load(file)
    inside = squeezed(b"[" + b" " * 100_000 + b"]")
    file.write_text(f'<script type="text/plain" id="replay">{inside}</script>')
    with pytest.raises(ValueError, match="expected a replay"):
        tk.Replay.load(file)


def test_packed_is_unpacked() -> None:
    frames = tk.Replay(with_a_branch()).frames
    again = module._unpacked(json.loads(json.dumps(module._packed(frames))))
    assert again == json.loads(json.dumps(frames))


def test_display_modes(monkeypatch: pytest.MonkeyPatch) -> None:
    replay = tk.Replay(played())
    view = "application/vnd.jupyter.widget-view+json"
    for mode, kinds in {
        "live": {view, "text/plain"},
        "static": {"text/html", "text/plain"},
        "both": {view, "text/plain", "text/html"},
    }.items():
        monkeypatch.setattr(module.display, "display_mode", lambda mode=mode: mode)
        shown = replay._repr_mimebundle_()
        bundle = shown[0] if isinstance(shown, tuple) else shown
        assert {*bundle} == kinds, mode
        assert bundle["text/plain"].startswith("The footbridge\n")


def test_code_in_quotes_is_not_squeezed() -> None:
    code = module._scripts()
    assert "// " not in code and "  " not in code.replace("'  '", "")
    for words in ('" of ${line.length}'[1:], "Not allowed, for ", "What if this were"):
        assert words in code
    for line in module.joined("replay").splitlines():
        assert line.count("`") % 2 == 0  # a line is looked at by itself
