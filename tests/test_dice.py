"""Dice: what is thrown, read, counted, and what a text means."""

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop_kit.core.dice import (
    Dice,
    Plus,
    alike,
    as_rolled,
    best_two,
    dice,
    highest,
    joint,
    lowest,
    percentile,
    percentile_from_zero,
    tens_and_ones,
    throws,
    together,
    total,
    ways,
)
from tabletop_kit.core.notation import DiceError, parse

READINGS = (
    total,
    best_two,
    highest,
    lowest,
    alike,
    as_rolled,
    Plus(-2),
    Plus(3, best_two),
    together(total=total, double=alike),
)


def counted(thrown: Dice) -> dict[object, int]:
    """The ways, counted throw by throw in every order."""
    found: dict[object, int] = {}
    for faces in product(range(1, thrown.sides + 1), repeat=thrown.count):
        read = thrown.reads(faces)
        found[read] = found.get(read, 0) + 1
    return found


@pytest.mark.parametrize(
    "reads", READINGS, ids=lambda r: getattr(r, "__name__", str(r))
)
@pytest.mark.parametrize(("count", "sides"), [(1, 6), (2, 6), (3, 4), (4, 3)])
def test_ways_are_those_of_counting(count, sides, reads):
    if reads is best_two and count == 1:
        return
    assert ways(dice(count, sides, reads)) == counted(dice(count, sides, reads))


def test_many_dice_are_looked_through_once_for_each_handful():
    seven = dice(7, 6, best_two)
    assert len(list(throws(seven))) == 792
    assert ways(seven) == counted(seven)
    assert ways(dice(7, 6, lambda faces: sum(faces))) == ways(dice(7, 6))


def test_readings_that_mind_the_order_are_read_in_every_order():
    for reads in (tens_and_ones, percentile, percentile_from_zero):
        assert ways(dice(2, 10, reads)) == counted(dice(2, 10, reads))
    first = dice(6, 6, lambda faces: faces[0])
    assert ways(first) == dict.fromkeys(range(1, 7), 6**5)
    large = dice(2, 200, lambda faces: faces[0] - faces[1])
    assert ways(large)[199] == 1 and sum(ways(large).values()) == 200**2


def test_published_chances_of_two_sixes():
    found = [
        dice(count, 6, best_two).chances.chance(lambda read: read == 12)
        for count in (2, 3, 4, 5)
    ]
    assert found == [
        Fraction(1, 36),
        Fraction(2, 27),
        Fraction(19, 144),
        Fraction(763, 3888),
    ]


def test_totals_of_many_dice():
    assert dice(10, 6).ways[10] == dice(10, 6).ways[60] == 1
    assert sum(dice(100, 6).ways.values()) == 6**100
    assert dice(100, 6).chances.average == 350
    assert len(dice(100, 20).ways) == 1901


def test_joint_questions():
    asked = joint(dice(2, 6), total=total, double=alike)
    assert asked.total == 36
    assert asked.chance(lambda read: read.double and read.total == 8) == Fraction(1, 36)
    both = asked.of(lambda read: read.double)
    assert both.ways == {True: 6, False: 30}
    assert both.of(str).ways == {"True": 6, "False": 30}


def test_its_repr_is_the_same_in_every_run():
    assert repr(dice(2, 6)) == "Dice(2, 6, total)"
    low = dice(3, 6, Plus(2), "low")
    assert repr(low) == "Dice(3, 6, Plus(2, total), better='low')"
    assert repr(together(best=best_two)) == "together(best=best_two)"


def test_interned():
    assert dice(2, 6) is dice(2, 6) is dice(2, 6, total) is parse("2D6")
    assert dice(2, 6) is dice(count=2, sides=6, reads=total, better="high")
    assert dice(2, 6) is not dice(2, 6, better="low")
    assert parse("3D6+2") is parse("3D6 + 2")
    assert hash(Dice(2, 6)) == hash(Dice(2, 6)) and Dice(2, 6) == dice(2, 6)


@given(st.integers(1, 100), st.integers(2, 1000), st.integers())
def test_a_throw_is_one_number_a_die_in_order(count, sides, seed):
    stream, again = Random(seed), Random(seed)
    thrown = dice(count, sides)
    faces = thrown.throw(stream.random)
    assert faces == tuple(int(again.random() * sides) + 1 for _ in range(count))
    assert thrown.shows(faces)
    assert thrown.sample(Random(seed).random) == sum(faces)
    assert stream.random() == again.random()


def test_sample_reads_what_the_throw_shows():
    for reads in READINGS:
        thrown = dice(3, 6, reads)
        faces = thrown.throw(Random("mio").random)
        assert thrown.sample(Random("mio").random) == reads(faces)


@pytest.mark.parametrize(
    "faces", [(1,), (1, 2, 3), (0, 1), (1, 7), (1.0, 2), (True, 2), [1, 2], None, "12"]
)
def test_what_is_no_throw(faces):
    assert not dice(2, 6).shows(faces)


def test_which_way_is_good():
    assert dice(2, 6).meets(7, 7) and not dice(2, 6).meets(6, 7)
    low = parse("D%", better="low")
    assert low.meets(7, 7) and low.meets(6, 7) and not low.meets(8, 7)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ((0, 6), "dice count: expected 1 to 100 dice, got 0"),
        ((101, 6), "dice count: expected 1 to 100 dice, got 101"),
        ((2.0, 6), "dice count: expected 1 to 100 dice, got 2.0"),
        ((2, 1), "dice sides: expected 2 to 1000 sides, got 1"),
        ((2, 1001), "dice sides: expected 2 to 1000 sides, got 1001"),
        ((2, 6, "total"), "dice reads: expected a function of the faces, got 'total'"),
        ((2, 6, total, "up"), "dice better: expected 'high' or 'low', got 'up'"),
    ],
)
def test_numbers_out_of_bounds(numbers, words):
    with pytest.raises(ValueError) as refused:
        Dice(*numbers)
    assert str(refused.value) == words


def test_too_many_throws_to_look_through():
    with pytest.raises(
        ValueError, match="100D6: expected a total, or at most 2,000,000"
    ):
        ways(dice(100, 6, best_two))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2D6", dice(2, 6)),
        ("D6", dice(1, 6)),
        ("d 6", dice(1, 6)),
        ("２Ｄ６", dice(2, 6)),
        ("　２ ｄ ６　", dice(2, 6)),
        ("1D100", dice(1, 100)),
        ("2D10", dice(2, 10)),
        ("2D10%", dice(2, 10, percentile)),
        ("2D10％", dice(2, 10, percentile)),
        ("D%", dice(2, 10, percentile)),
        ("1d%", dice(2, 10, percentile)),
        ("D66", dice(2, 6, tens_and_ones)),
        ("Ｄ６６", dice(2, 6, tens_and_ones)),
        ("3D6+2", dice(3, 6, Plus(2))),
        ("３Ｄ６＋２", dice(3, 6, Plus(2))),
        ("3D6-2", dice(3, 6, Plus(-2))),
        ("3D6−2", dice(3, 6, Plus(-2))),
        ("3D6－2", dice(3, 6, Plus(-2))),
        ("3D6+4-2", dice(3, 6, Plus(2))),
        ("3D6+0", dice(3, 6)),
        ("02D06", dice(2, 6)),
        ("D66+1", dice(2, 6, Plus(1, tens_and_ones))),
    ],
)
def test_texts(text, meant):
    assert parse(text) is meant


@pytest.mark.parametrize(
    ("text", "at", "expected", "found"),
    [
        ("", 0, "a number of dice or D", ""),
        ("   ", 3, "a number of dice or D", ""),
        ("x", 0, "a number of dice or D", "x"),
        ("2", 1, "D", ""),
        ("2X6", 1, "D", "X"),
        ("2D", 2, "the number of sides or %", ""),
        ("2Dx", 2, "the number of sides or %", "x"),
        ("2D6+", 4, "a number to add", ""),
        ("2D6+x", 4, "a number to add", "x"),
        ("2D6*2", 3, "+, − or the end", "*"),
        ("2D6 2", 4, "+, − or the end", "2"),
        ("2D6%", 3, "+, − or the end", "%"),
        ("0D6", 0, "1 to 100 dice", "0"),
        ("101D6", 0, "1 to 100 dice", "101"),
        ("9" * 90 + "D6", 0, "1 to 100 dice", "9" * 90),
        ("２D１", 2, "2 to 1000 sides", "１"),
        ("2D1001", 2, "2 to 1000 sides", "1001"),
        ("2D6+1001", 4, "0 to 1000 to add", "1001"),
        ("2D66", 2, "no number before D66 (two dice, tens and ones)", "6"),
        ("2D%", 2, "no number, or 1, before D%", "%"),
        ("٢D6", 0, "a number of dice or D", "٢"),
        ("2D6" + " " * 98, 100, "at most 100 characters", " "),
    ],
)
def test_a_syntax_error_says_where_and_what(text, at, expected, found):
    with pytest.raises(DiceError) as refused:
        parse(text)
    error = refused.value
    assert (error.at, error.expected, error.found) == (at, expected, found)
    first, line, caret = str(error).split("\n")
    stands = repr(found) if found else "the end"
    assert (
        first == f"dice text, character {at + 1}: expected {expected}, found {stands}"
    )
    start = max(0, at - 40)
    assert line == f"    {text[start : at + 40]}"
    assert caret[-1] == "^" and len(caret) == 4 + at - start + 1


def test_what_is_added_in_all_has_a_limit():
    with pytest.raises(DiceError, match="at most 1000 added in all, found '1001'"):
        parse("2D6+1000+1")


def test_no_text():
    for value in (None, 6, b"2D6", dice(2, 6)):
        with pytest.raises(DiceError, match="expected text such as '2D6'"):
            parse(value)  # type: ignore[arg-type]


def test_a_wide_text_has_a_wide_caret():
    with pytest.raises(DiceError) as refused:
        parse("３Ｄ６＊")
    assert str(refused.value).split("\n")[2] == "    \u3000\u3000\u3000^"


def test_control_characters_do_not_break_the_line():
    with pytest.raises(DiceError) as refused:
        parse("2\n\x1b[31mD6")
    assert len(str(refused.value).split("\n")) == 3
    assert "\x1b" not in str(refused.value)


@given(
    st.one_of(
        st.builds(
            lambda count, sides, plus: dice(
                count, sides, Plus(plus) if plus else total
            ),
            st.integers(1, 100),
            st.integers(2, 1000).filter(lambda sides: sides != 66),
            st.integers(-1000, 1000),
        ),
        st.builds(
            lambda kind, plus: dice(
                kind[0], kind[1], Plus(plus, kind[2]) if plus else kind[2]
            ),
            st.sampled_from([(2, 6, tens_and_ones), (2, 10, percentile)]),
            st.integers(-1000, 1000),
        ),
    )
)
def test_what_is_written_is_read_back(thrown):
    assert parse(str(thrown)) is thrown
    full = str(thrown).translate({n: n + 0xFEE0 for n in range(0x21, 0x7F)})
    assert parse(full) is thrown


@given(st.text(alphabet="0123456789dDＤ６%+-− x\n", max_size=12) | st.text())
def test_any_text_is_dice_or_a_dice_error(text):
    try:
        parsed = parse(text)
    except DiceError as error:
        assert 0 <= error.at <= len(text) and error.expected
    else:
        assert parse(str(parsed)) is parsed


@pytest.mark.parametrize("count", [2.0, True])
def test_a_number_that_only_looks_like_one(count: Any) -> None:
    dice(2, 6), dice(1, 6)
    with pytest.raises(ValueError, match="dice count: expected 1 to 100 dice"):
        dice(count, 6)
