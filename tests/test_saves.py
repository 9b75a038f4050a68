"""Bad input: a save that is not one is refused by name, and nothing else happens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
import mutated_saves
import pytest
from campaign import CAMPAIGN, ESCORTED, WAR, marching
from msgspec.structs import replace
from skirmish import ANN, IMP, SAMPLES, SKIRMISH, Encounter, sensible

from tabletop_kit.core import saves, tables
from tabletop_kit.core.answers import Broken
from tabletop_kit.core.dice import dice
from tabletop_kit.core.game import Game
from tabletop_kit.core.notation import parse
from tabletop_kit.core.saves import from_json, to_json
from tabletop_kit.core.systems import moving

TWO = SAMPLES["two"]
Change = Callable[[dict[str, Any]], object]


def played(questions: int = 40) -> Game:
    return Game(TWO, seed=3).play(sensible, questions)


def edited(change: Change, game: Game | None = None) -> bytes:
    """A save with one thing changed."""
    data = msgspec.json.decode(to_json(game or played()))
    change(data)
    return msgspec.json.encode(data)


def refusal(change: Change, game: Game | None = None) -> str:
    """What is said against a save with one thing changed."""
    with pytest.raises(Broken) as broken:
        from_json(edited(change, game))
    return str(broken.value)


def put(at: int, value: Any, field: str, *inside: str) -> Change:
    """A change of one field of a move, or of what is inside it."""

    def change(data: dict[str, Any]) -> None:
        *way, last = (field, *inside)
        holder = data["moves"][at]
        for name in way:
            holder = holder[name]
        holder[last] = value

    return change


def strikes() -> list[int]:
    """The places of strikes among the moves."""
    moves = msgspec.json.decode(to_json(played()))["moves"]
    kinds = [(move.get("value") or {}).get("type") for move in moves]
    return [place for place, kind in enumerate(kinds) if kind == "strike"]


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    game, path = played(), tmp_path / "fight.json"
    game.save(path)
    again = Game.load(path)
    assert again.words() == game.words() and moving(again.state) == moving(game.state)
    assert again.here == game.here and again.notice == ""
    assert path.read_bytes() == to_json(again)
    assert again.play(sensible).words() == game.play(sensible).words()


def test_a_save_that_is_no_save_at_all() -> None:
    whole = to_json(played())
    deep = b'{"format": 1, "moves": ' + b"[" * 100_000
    for data in (
        b"",
        b"{}",
        b"\xff\xfe",
        b"[]",
        b"null",
        deep,
        whole[:-1],
        whole + b"}",
    ):
        with pytest.raises(Broken, match="expected a saved game"):
            from_json(data)
    for length in range(0, len(whole), 211):
        with pytest.raises(Broken, match="expected a saved game"):
            from_json(whole[:length])


def test_another_version_or_system() -> None:
    assert (
        refusal(lambda d: d.update(format=9)) == "answer 0: expected format 1; found 9"
    )
    said = refusal(lambda d: d.update(system="chess"))
    assert "a system out of [" in said and "'skirmish'" in said and "'chess'" in said
    assert "unknown field `sheets`" in refusal(lambda d: d.update(system="campaign"))
    assert "unknown field" in refusal(lambda d: d.update(extra=1))
    assert "missing required field" in refusal(lambda d: d.pop("seed"))


def test_an_edited_answer_is_refused_with_its_place_and_reasons() -> None:
    at = strikes()[1]
    far = next(
        name
        for name in ("Ann", "Ben", "Imp", "Ogre")
        if "out_of_reach" in _why(at, name)
    )
    said = refusal(lambda d: d["moves"][at]["value"].update(target=far))
    assert said.startswith(f"answer {at + 1}: expected ")
    assert "Too far" in said and "out_of_reach, SK-RNG-01" in said
    said = refusal(lambda d: d["moves"][at]["value"].update(target="Nobody"))
    assert "no_such_target" in said and "Nobody" in said
    for wrong in (1, None, ["Imp"], {"a": 1}):
        said = refusal(put(at, wrong, "value", "target"))
        assert said.startswith(f"answer {at + 1}: expected ")
    values: list[Any] = [{"type": "fly"}, {"type": "march", "room": 2}, 3, "x", [], {}]
    for value in values:
        said = refusal(put(at, value, "value"))
        assert f"answer {at + 1}: expected" in said and "skirmish.action" in said


def _why(at: int, target: str) -> str:
    """What is said when the strike at that place is at somebody else."""
    try:
        from_json(edited(lambda d: d["moves"][at]["value"].update(target=target)))
    except Broken as broken:
        return str(broken)
    return ""


def test_whoever_did_not_answer() -> None:
    at = strikes()[1]
    who = played().nodes[at + 1].who
    said = refusal(lambda d: d["moves"][at].update(who="gm"))
    assert said == f"answer {at + 1}: expected {who} to answer; found 'gm'"


def test_a_throw_the_dice_cannot_show_or_that_is_missing() -> None:
    moves = msgspec.json.decode(to_json(played()))["moves"]
    at = next(place for place, move in enumerate(moves) if move["asks"] == "attack")
    for faces in ([9, 9], [1], [0, 3], [], [1, 1, 1]):
        said = refusal(put(at, faces, "faces"))
        assert said.startswith(f"answer {at + 1}: expected faces of 2D6 (attack)")
    said = refusal(lambda d: d["moves"][at].pop("faces"))
    assert said.startswith(f"answer {at + 1}: expected faces of 2D6 (attack)")


def test_a_tree_that_is_none() -> None:
    for wrong in (77, 6, -1):
        said = refusal(put(5, wrong, "after"))
        assert said == f"answer 6: expected after: 0 to 5; found {wrong}"
    said = refusal(lambda d: d["moves"][5].pop("asks"))
    assert "the question it answers" in said


def test_a_position_that_comes_out_otherwise() -> None:
    said = refusal(
        lambda d: d["positions"].update({next(iter(d["positions"])): "0" * 12})
    )
    assert "expected the position 000000000000 after it (file or rules changed)" in said
    said = refusal(lambda d: d["positions"].update({"9999": "0" * 12}))
    assert "expected positions after answers 0 to" in said and "'9999'" in said


def test_doubled_moves() -> None:
    def doubled(data: dict[str, Any]) -> None:
        data["moves"].append(dict(data["moves"][-1]))

    game = from_json(edited(doubled))  # the same answer twice: two equal lines
    assert game.words() == played().words()
    while game.undo():
        pass
    while game.redo():
        pass
    assert game.words() == played().words()

    def doubled_within(data: dict[str, Any]) -> None:
        data["moves"].insert(7, dict(data["moves"][6]))

    assert refusal(doubled_within).startswith("answer ")


def test_an_encounter_that_cannot_be() -> None:
    def sheet(**changes: Any) -> Change:
        return lambda d: d["encounter"]["sheets"][0].update(changes)

    assert "hp: expected 1 or more, got -3" in refusal(sheet(hp=-3))
    assert "'Imp': expected one combatant of this name" in refusal(sheet(name="Imp"))
    assert "row: expected 0 to 3, got 9" in refusal(sheet(row=9))
    assert "enum value 'fly' - at" in refusal(sheet(skills=["fly"]))
    assert "missing required field `hp`" in refusal(
        lambda d: d["encounter"]["sheets"][0].pop("hp")
    )
    assert "expected an encounter; found" in refusal(lambda d: d.update(encounter=None))
    with pytest.raises(ValueError, match=r"'Ann': expected one.*side 1: expected some"):
        Encounter((ANN, ANN))
    with pytest.raises(ValueError, match=r"Imp, armour: expected 0 or more, got -1"):
        Encounter((ANN, replace(IMP, armour=-1)))


def test_a_game_that_began_at_a_position() -> None:
    first = played(20)
    position = next(n.position for n in first.nodes[::-1] if n.position is not None)
    game = Game(TWO, seed=8, at=position).play(sensible, 8)
    again = from_json(to_json(game))
    assert again.words() == game.words() and moving(again.started_at) == moving(
        position
    )
    assert to_json(again) == to_json(game)

    def fighter(**changes: Any) -> Change:
        return lambda d: d["start"]["who"][0].update(changes)

    assert "the position " in refusal(lambda d: d["start"].update(known=[0]), game)
    assert "who[0].hp: expected 0 to 16, got 99" in refusal(fighter(hp=99), game)
    assert "who[0].row: expected 0 to 3, got -1" in refusal(fighter(row=-1), game)
    assert "who: expected 4 fighters, got 3" in refusal(
        lambda d: d["start"]["who"].pop(), game
    )
    assert "a position to begin at" in refusal(lambda d: d.update(start=[]), game)
    assert "a position to begin at" in refusal(lambda d: d.update(start={"x": 1}), game)
    assert refusal(lambda d: d.pop("start"), game).startswith("answer 1: expected ")


def test_a_position_inside_a_battle_inside() -> None:
    game = Game(ESCORTED, seed=2).play(marching, 18)
    position = next(n.position for n in game.nodes[::-1] if n.position is not None)
    assert position.battle is not None
    later = Game(ESCORTED, seed=5, at=position).play(marching, 8)
    again = from_json(to_json(later))
    assert again.words() == later.words()
    assert again.nodes[0].position.battle.setup is again.encounter.battle
    said = refusal(lambda d: d["start"]["battle"]["who"].pop(), later)
    assert "who: expected 4 fighters, got 3" in said
    assert "rooms: expected 2 to 12, got 10000" in refusal(
        lambda d: d["encounter"].update(rooms=10_000), later
    )


def test_100_megabytes_are_refused_before_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(100_000_000)  # sparse: nothing is written
    start = perf_counter()
    with pytest.raises(
        Broken, match=r"expected at most 20,000,000 bytes; found 100000000"
    ):
        Game.load(path)
    assert perf_counter() - start < 0.05
    with pytest.raises(Broken, match="at most"):
        from_json(bytes(saves.MOST + 1))
    with pytest.raises(FileNotFoundError):
        Game.load(tmp_path / "missing.json")


# ---- other rules -------------------------------------------------------------------


def test_a_save_of_other_rules_that_is_legal_throughout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = to_json(played())
    monkeypatch.setattr(type(SKIRMISH), "rules", 2)
    game = from_json(data)
    assert game.words() == played().words()
    assert game.notice == (
        "saved with rules 1, these are 2: all of it could be played, and every position "
        "is as it was saved"
    )
    assert game.notice in repr(game)


def test_a_save_of_other_rules_that_becomes_another_battle_says_where(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    positions = msgspec.json.decode(to_json(played()))["positions"]
    at = list(positions)[3]
    file = tmp_path / "fight.json"
    file.write_bytes(edited(lambda d: d["positions"].update({at: "0123456789ab"})))
    with pytest.raises(Broken, match=f"{file}, answer {at}: expected the position"):
        Game.load(file)
    monkeypatch.setattr(type(SKIRMISH), "rules", 2)
    with pytest.warns(UserWarning, match=f"{file}: saved with rules 1") as warned:
        game = Game.load(file)
    assert warned[0].filename == __file__
    assert "another battle" in game.notice and f"answer {at}: expected" in game.notice
    assert game.words() == played().words()


def test_a_save_of_other_rules_is_played_as_far_as_it_is_legal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = strikes()[3]
    data = edited(lambda d: d["moves"][at]["value"].update(target="Nobody"))
    with pytest.raises(Broken):
        from_json(data)
    monkeypatch.setattr(type(SKIRMISH), "rules", 2)
    game = from_json(data)
    whole = played()
    assert game.here == at and whole.goto(at).words() == game.words()
    assert "saved with rules 1, these are 2" in game.notice
    assert f"up to answer {at}" in game.notice and "no_such_target" in game.notice
    game.play(sensible)
    assert game.ask is None and from_json(to_json(game)).words() == game.words()


def test_a_long_save_of_other_rules_stops_quickly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = Game(WAR, seed=2).play(marching)
    data = msgspec.json.decode(to_json(game))
    first = next(move for move in data["moves"] if move["asks"] == "campaign.orders")
    first["value"]["room"] = 4
    monkeypatch.setattr(type(CAMPAIGN), "rules", 7)
    start = perf_counter()
    stopped = from_json(msgspec.json.encode(data))
    assert perf_counter() - start < 2
    assert stopped.here == 0 and "one_room" in stopped.notice


# ---- mutations ---------------------------------------------------------------------


def test_mutated_saves_are_broken_or_playable_and_nothing_else() -> None:
    found = mutated_saves.try_all(600)
    assert sum(found.values()) == 600
    names = {system.name for system in mutated_saves.checked_systems()}
    assert set(found) == {
        (name, how) for name in names for how in ("broken", "playable")
    }


# ---- what an encounter may hold ----------------------------------------------------


class Tabled(Encounter, frozen=True, eq=False, dict=True):
    """A skirmish with a group's own table."""

    table: tables.Table | None = None


def test_an_encounter_may_hold_outcome_tables() -> None:
    fates = (tables.Effect("hurt", ("points",)), tables.Effect("none"))
    for thrown in ("2D6", "3D6+2", "D66", "D%", "1D100"):
        thrown_dice = parse(thrown)
        totals: list[Any] = sorted(thrown_dice.ways, key=str)
        least, most = min(totals), max(totals)
        rows = (tables.row(f"{least}–{most}", "hurt", points=2),)
        fate = tables.Table("fate", "SK-ATK-02", thrown_dice, rows, fates)
        kept = saves.plain(Tabled(TWO.sheets, table=fate))
        again = saves.encounter_from(
            msgspec.json.decode(msgspec.json.encode(kept)), Tabled
        )
        assert again.table == fate and again.sheets == TWO.sheets
        assert again.table.dice.ways == thrown_dice.ways


def test_a_table_edited_in_a_save_is_refused() -> None:
    fate = tables.Table(
        "fate",
        "SK-ATK-02",
        parse("2D6"),
        (tables.row("2–12", "x"),),
        (tables.Effect("x"),),
    )
    changes: list[tuple[str, Any]] = [
        ("dice", {"count": 2, "sides": 6, "reads": "__import__"}),
        ("dice", {"count": 2, "sides": 6, "reads": {"number": 1, "of": "eval"}}),
        ("dice", {"count": 0, "sides": 6, "reads": "total"}),
        ("rows", [{"low": 2, "high": 11, "effect": "x"}]),
        ("rows", [{"low": 2, "high": 12, "effect": "y"}]),
    ]
    for field, value in changes:
        kept = saves.plain(Tabled(TWO.sheets, table=fate))
        kept["table"][field] = value
        with pytest.raises(ValueError, match="expected"):
            saves.encounter_from(kept, Tabled)


def test_an_encounter_with_a_function_of_its_own_cannot_be_saved() -> None:
    odd = dice(2, 6, lambda faces: faces[0])
    fate = tables.Table(
        "fate", "SK-ATK-02", odd, (tables.row("1–6", "x"),), (tables.Effect("x"),)
    )
    with pytest.raises(TypeError, match="expected plain values and readings of dice"):
        to_json(Game(Tabled(TWO.sheets, table=fate)))


# ---- what an answer may not say ------------------------------------------------------


def first_throw() -> int:
    moves = msgspec.json.decode(to_json(played()))["moves"]
    return next(i for i, move in enumerate(moves) if "faces" in move)


@pytest.mark.parametrize(
    "field, value, said",
    [
        ("who", "Zed", "to throw; found 'Zed'"),
        ("asks", "x", "expected a throw for"),
        ("passed", -1, "expected no passed there; found -1"),
        ("value", 3, "expected no value there; found 3"),
        ("dice", "zz", "expected no dice there; found 'zz'"),
        ("by", "Zed", "Invalid enum value 'Zed'"),
    ],
)
def test_what_a_throw_cannot_say(field: str, value: Any, said: str) -> None:
    assert said in refusal(put(first_throw(), value, field))


def test_what_a_choice_and_a_mark_cannot_say() -> None:
    assert "expected no dice there" in refusal(put(strikes()[0], "zz", "dice"))
    game = played().branch()
    assert "expected no who there" in refusal(put(-1, "Ann", "who"), game)
    assert "expected no passed there" in refusal(put(-1, 1, "passed"), game)


@pytest.mark.parametrize("here", [-1, 1_000_000])
def test_a_place_to_stand_on_that_is_not_there(here: int) -> None:
    assert f"expected here: 0 to 48; found {here}" in refusal(
        lambda d: d.update(here=here)
    )


@pytest.mark.parametrize("key", ["9" * 5_000, "٢", "-1", "01", "1_0"])
def test_positions_after_no_answer(key: str) -> None:
    said = refusal(lambda d: d["positions"].update({key: "0" * 12}))
    assert "expected positions after answers 0 to" in said and len(said) < 400


def test_fields_nobody_knows() -> None:
    assert "unknown field `extra`" in refusal(lambda d: d["encounter"].update(extra=1))
    assert "unknown field `extra`" in refusal(put(strikes()[0], 1, "value", "extra"))
    assert "expected its fields by name, got []" in refusal(
        lambda d: d.update(start=[])
    )
    assert "got ['setup']" in refusal(lambda d: d.update(start={"setup": 1}))
    large = refusal(lambda d: d["encounter"].update(extra="x" * 1_000))
    assert "xxx" not in large


def test_a_file_without_end() -> None:
    with pytest.raises(Broken, match="at most 20,000,000 bytes"):
        Game.load("/dev/zero")
