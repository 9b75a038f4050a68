"""The course's side in the kernel: values, what is hidden, refusals, rows. No browser."""

import json
from fractions import Fraction
from typing import Any

import pytest
import skirmish

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.widgets import display
from tabletop_kit.widgets.course import Course
from tabletop_kit.widgets.study import Study

FOOTBRIDGE = formation.samples["footbridge"]
FULL = {"Aki": 16, "Ren": 12, "Mio": 10, "Brute": 14, "Wolf": 8, "Slinger": 9}


def told(course: Course) -> list[dict[str, Any]]:
    """What the kernel tells the chart's page from now on."""
    messages: list[dict[str, Any]] = []
    course.send = lambda content, *_: messages.append(content)  # type: ignore[method-assign]
    return messages


def values_of(row: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The values at a row, as a page works them out."""
    while "values" not in row:
        row = rows[row["parent"]]
    return row["values"]  # type: ignore[no-any-return]


def played(answers: int, seed: int = 5) -> Study:
    game = tk.Game(FOOTBRIDGE, seed=seed)
    game.play(formation.sensible, answers)
    return tk.study(game)


# ---- values


def test_it_begins_with_what_everybody_has() -> None:
    course = Course(tk.study(FOOTBRIDGE, seed=5))
    assert course.values(0) == FULL
    assert [line["name"] for line in course.lines] == list(FULL)
    assert [line["side"] for line in course.lines] == [*"aaabbb"]


def test_values_are_those_of_the_position_at_every_frame() -> None:
    study = played(12)
    course = Course(study)
    for frame in study.film.frames:
        state = study.film.state_at(frame["id"])
        assert [*course.values(frame["id"]).values()] == list(state.hp)
    assert course.values() == course.values(study.now)


def test_rows_say_what_a_page_needs_to_find_the_same_values() -> None:
    study = played(12)
    rows = Course(study).get_state()["rows"]
    assert [row["id"] for row in rows] == [*range(len(study.film.frames))]
    for row, frame in zip(rows, study.film.frames, strict=True):
        same = ("id", "parent", "kind", "heading")
        assert [row[name] for name in same] == [frame[name] for name in same]
        assert bool(row.get("quiet")) == bool(frame.get("quiet"))
        state = study.film.state_at(row["id"])
        assert [*values_of(row, rows).values()] == list(state.hp)
    assert sum("values" in row for row in rows) < len(rows) / 3


def test_a_position_is_read_once() -> None:
    study, read = played(6), []
    Course(study, of=lambda position: read.append(position) or {})
    assert 1 < len(read) < len(study.film.frames) / 2


# ---- what the viewer may not see


def secret(viewer: Any, of: Any = None) -> Course:
    game = tk.Game(skirmish.SAMPLES["secret"], seed=1)
    game.play(skirmish.sensible, 6)
    return Course(tk.study(game, viewer=viewer), of)


def test_hidden_hit_points_do_not_leave_the_kernel() -> None:
    everybody, theirs = secret("gm"), secret("side 0")
    name = skirmish.SECRET.name
    assert [*everybody.values(0)] == ["Ann", "Ben", name, "Imp"]
    assert everybody.values(0)[name] == skirmish.SECRET.hp
    assert [*theirs.values(0)] == ["Ann", "Ben", "Imp"]
    state = theirs.get_state()
    hidden = str(skirmish.SAMPLES["secret"].number_of(name))
    assert hidden not in [line["key"] for line in state["lines"]]
    shown = [row["values"] for row in state["rows"] if "values" in row]
    assert len(shown) > 1 and all(values[hidden] is None for values in shown)
    assert name not in repr(theirs) and name in repr(everybody)


def test_a_function_gets_the_position_as_the_viewer_sees_it() -> None:
    seen: list[Any] = []
    course = secret("side 0", lambda position: seen.append(position) or {})
    state = course.study.film.state_at(0)
    assert seen[0] == state.seen_by("side 0") != state


# ---- anything one can count


def test_names_have_the_letter_of_their_side() -> None:
    given: dict[str, Any] = {
        "Aki": 1,
        "Slinger": 2,
        "Wayfarers": 3,
        "enemy": 4,
        "luck": Fraction(-1, 4),
    }
    course = Course(played(2), of=lambda _: given, unit="points")
    assert [line["side"] for line in course.lines] == [*"ababc"]
    assert course.values(0)["luck"] == -0.25
    assert json.loads(json.dumps(course.rows)) == course.rows
    assert "luck −0.25" in repr(course)


def test_an_unknown_value_is_no_line() -> None:
    course = Course(played(2), of=lambda _: {"Aki": 3, "Ren": None})
    assert course.values(0) == {"Aki": 3}
    assert [line["name"] for line in course.lines] == ["Aki"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ([("Aki", 1)], r"of, frame 0: expected names and their numbers, got \[\('Aki'"),
        (None, "of, frame 0: expected names and their numbers, got None"),
        ({0: 1}, "of, frame 0: expected a name as text, got 0"),
        ({" ": 1}, "of, frame 0: expected a name as text, got ' '"),
        ({"Aki": "3"}, "of, frame 0, 'Aki': expected a number or None, got '3'"),
        ({"Aki": True}, "of, frame 0, 'Aki': expected a number or None, got True"),
        (
            {"Aki": float("nan")},
            "of, frame 0, 'Aki': expected a finite number, got nan",
        ),
    ],
)
def test_what_is_no_number_is_refused(given: Any, says: str) -> None:
    with pytest.raises(ValueError, match=f"^{says}"):
        Course(played(1), of=lambda _: given)


def test_other_senseless_arguments_are_refused() -> None:
    with pytest.raises(
        ValueError, match=r"^study: expected what tk\.study gives, got 7"
    ):
        Course(7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^of: expected a function\b"):
        Course(played(1), of={"Aki": 1})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^frame: expected 0 to 4, got 9\b"):
        Course(tk.study(FOOTBRIDGE)).values(9)


def test_a_refused_course_is_not_listened_to() -> None:
    study = played(1)
    with pytest.raises(ValueError):
        Course(study, of=lambda _: 1)  # type: ignore[arg-type, return-value]
    assert study.listeners == []


# ---- going on


def test_new_frames_come_as_rows() -> None:
    study = tk.study(FOOTBRIDGE, seed=5)
    course = Course(study)
    messages, before = told(course), len(study.film.frames)
    study.game.answer(formation.Attack("Wolf"))
    study.follow()
    (message,) = messages
    assert message["tell"] == "rows" and message["at"] == study.now == course.at
    assert [r["id"] for r in message["rows"]] == [
        *range(before, len(study.film.frames))
    ]
    assert course.values()["Wolf"] == study.game.state.hp[4] < 8
    study.follow()
    assert [len(m["rows"]) for m in messages] == [len(message["rows"]), 0]


def test_answers_in_the_page_are_heard_too() -> None:
    study = tk.study(FOOTBRIDGE, seed=5)
    course = Course(study)
    messages = told(course)
    question = study.film.frames[study.now]["question"]
    options = [o for kind in question["kinds"] for o in kind["options"]]
    key = next(o["key"] for o in options if not o["refused"])
    study._hear(study, {"ask": "answer", "frame": study.now, "key": key}, [])
    for _ in range(2):
        study._hear(study, {"ask": "play", "how": "step"}, [])
    assert len(messages) == 3 and messages[-1]["at"] == study.now
    assert len(course.get_state()["rows"]) == len(study.film.frames)


def test_it_is_where_the_study_is() -> None:
    study = played(12)
    course = Course(study)
    study.at = 7
    assert course.at == 7 == study.now
    assert course.values() == course.values(7)


def test_a_function_that_fails_later_is_said_and_the_study_goes_on() -> None:
    study = tk.study(FOOTBRIDGE, seed=5)
    course = Course(study, of=lambda position: {"share": position.hp[4] // 8 / 1})
    course.of = lambda position: {"share": 1 / 0}
    study.game.answer(formation.Attack("Wolf"))
    study.follow()
    assert "ZeroDivisionError: division by zero" in course.trouble
    assert course.values() == {} and course.values(0) == {"share": 1}
    course.of = lambda position: {"share": 5}
    study.game.play(formation.sensible, 1)
    study.follow()
    assert course.values() == {"share": 5}


def test_a_closed_course_follows_no_longer() -> None:
    study = tk.study(FOOTBRIDGE, seed=5)
    course = Course(study)
    course.close()
    assert study.listeners == []
    study.game.play(formation.sensible, 1)
    study.follow()
    study.at = 0
    assert len(course.rows) < len(study.film.frames)


# ---- without a kernel


def test_the_static_form_is_a_table_of_turns() -> None:
    game = tk.Game(FOOTBRIDGE, seed=5)
    game.play(formation.sensible)
    course = Course(tk.study(game), title="A <b>bold</b> title")
    words = [words for words, _ in course.moments()]
    assert words == ["Preparation", "Turn 1", "Turn 2", "Turn 3", "Turn 4", "End"]
    assert [*course.moments()[-1][1].values()] == list(game.state.hp)
    before = display.display_mode()
    try:
        display.display_mode("static")
        shown = course._repr_mimebundle_()
        display.display_mode("both")
        both, _ = course._repr_mimebundle_()
    finally:
        display.display_mode(before)
    html = shown["text/html"]
    assert (
        html.count("<tr>") == 7 and "A &lt;b&gt;bold" in html and "<script" not in html
    )
    assert (
        "Turn 3: Aki 0, Ren 12, Mio 0, Brute 0, Wolf 0, Slinger 9"
        in shown["text/plain"]
    )
    assert both["text/html"] == html and len(both) == 3


def test_the_table_follows_the_branch_one_is_on() -> None:
    study = played(12)
    course = Course(study)
    study.at = 0
    assert [words for words, _ in course.moments()] == ["Now"]
