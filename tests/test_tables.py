"""Outcome tables: refused when they are wrong, reached in every row, exact in chains."""

from fractions import Fraction
from pathlib import Path

import polars
import pytest
from msgspec.structs import replace

from tabletop_kit.core.asking import Scripted
from tabletop_kit.core.dice import Dice, Plus, as_rolled, best_two, percentile
from tabletop_kit.core.notation import parse
from tabletop_kit.core.outcomes import Tables
from tabletop_kit.core.table_files import (
    from_csv,
    from_polars,
    from_rows,
    to_polars,
    to_rows,
)
from tabletop_kit.core.tables import (
    Effect,
    Row,
    Shelf,
    Table,
    TableError,
    average_rolls,
    look_up,
    one_row,
    reach,
    row,
)

EFFECTS = (Effect("nothing"), Effect("hurt", ("amount",)), Effect("call", ("n", "of")))
ONE = Dice(1, 6)
WHOLE = (row("1–6", "nothing"),)


def table(*rows: Row, dice: Dice = ONE, name: str = "trial") -> Table:
    return Table(name, "our own", dice, rows, EFFECTS)


def problems(*rows: Row, dice: Dice = ONE) -> list[str]:
    with pytest.raises(TableError) as refused:
        table(*rows, dice=dice)
    assert all(
        line.startswith("table 'trial', ") for line in str(refused.value).split("\n")
    )
    assert refused.value.table == "trial"
    return list(refused.value.problems)


def test_a_whole_table():
    hurt, fine = row("1–2", "hurt", amount=3), row("3–6", "nothing")
    whole = table(fine, hurt)
    assert whole.rows == (hurt, fine)  # sorted
    assert [whole.at(total) for total in range(1, 7)] == [hurt] * 2 + [fine] * 4
    assert whole == table(hurt, fine) and hash(whole) == hash(table(hurt, fine))
    assert whole.chances.ways == {hurt: 2, fine: 4}
    assert str(whole).split("\n") == [
        "trial (1D6)",
        "1–2  [hurt, amount 3]",
        "3–6  [nothing]",
    ]


@pytest.mark.parametrize("total", [0, 7, None, "3"])
def test_a_total_the_dice_cannot_show(total):
    with pytest.raises(ValueError) as refused:
        table(*WHOLE).at(total)
    assert str(refused.value) == (
        "table 'trial': expected a total that 1D6 can show, 1 to 6, got " + repr(total)
    )


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (
            [row("1–2", "nothing"), row("5–6", "nothing")],
            ["row 3–4: expected a row for every total of 1D6, got none"],
        ),
        (
            [row("2–4", "nothing"), row(6, "nothing")],
            [
                "row 1: expected a row for every total of 1D6, got none",
                "row 5: expected a row for every total of 1D6, got none",
            ],
        ),
        (
            [row("1–4", "nothing"), row("4–6", "nothing")],
            ["row 4–6: expected to begin after row 1–4, got an overlap at 4"],
        ),
        (
            [row("1–6", "nothing"), row("2–3", "nothing")],
            ["row 2–3: expected to begin after row 1–6, got an overlap at 2"],
        ),
        (
            [row("1–6", "nothing"), row("1–6", "hurt", amount=1)],
            ["row 1–6: expected once, got it twice"],
        ),
        (
            [row("1–7", "nothing")],
            ["row 1–7: expected totals that 1D6 can show, 1 to 6, got 7"],
        ),
        (
            [row("0–6", "nothing")],
            ["row 0–6: expected totals that 1D6 can show, 1 to 6, got 0"],
        ),
        (
            [row("1–6", "nothing"), row("9", "nothing")],
            ["row 9: expected totals that 1D6 can show, 1 to 6, got 9"],
        ),
        (
            [row("6–1", "nothing")],
            ["row 6–1: expected the lower total first, 1–6, got 6–1"],
        ),
        (
            [row("1–6", "frighten")],
            ["row 1–6: expected a known effect (nothing, hurt, call), got 'frighten'"],
        ),
        (
            [row("1–6", "hurt")],
            ["row 1–6: expected 'hurt' with amount, 'amount' is missing"],
        ),
        (
            [row("1–6", "call", n=1)],
            ["row 1–6: expected 'call' with n, of, 'of' is missing"],
        ),
        (
            [row("1–6", "nothing", amount=1)],
            ["row 1–6: expected 'nothing' with no numbers, got 'amount'"],
        ),
        (
            [Row(1, 6, "hurt", (("amount", 1), ("amount", 2)))],
            ["row 1–6: expected 'amount' once, got it 2 times"],
        ),
        (
            [row("1–6", "hurt", amount="3")],  # type: ignore[arg-type]
            ["row 1–6: amount: expected a whole number, got '3'"],
        ),
        (
            [row("1–5", "nothing"), row(6, "nothing", again=11)],
            ["row 6: again: expected 0 to 10 more rolls, got 11"],
        ),
        (
            [row("1–5", "nothing"), row(6, "nothing", again=-1)],
            ["row 6: again: expected 0 to 10 more rolls, got -1"],
        ),
        (
            [Row("1", 6, "nothing")],  # type: ignore[arg-type]
            ["row 1–6: expected whole numbers"],
        ),
        (["1–6"], ["rows: expected a Row, got '1–6'"]),
        ([], ["row 1–6: expected a row for every total of 1D6, got none"]),
    ],
)
def test_what_is_refused(rows, words):
    assert problems(*rows) == words


def test_all_problems_are_named_at_once():
    found = problems(row("1–2", "hurt"), row("2–3", "frighten"), row(9, "nothing"))
    assert [problem.split(":")[0] for problem in found] == [
        "row 1–2",
        "row 2–3",
        "row 9",
        "row 2–3",
        "row 4–6",
    ]


def test_a_flood_of_rows_is_refused_once():
    assert problems(*[row(1, "nothing")] * 1001) == [
        "rows: expected at most 1000, got 1001"
    ]
    assert len(problems(*[row("1–6", "nothing")] * 1000)) == 999


def test_the_dice_decide_what_is_a_gap():
    d66 = parse("D66")
    halves = (row("11–36", "nothing"), row("41–66", "nothing"))
    assert table(*halves, dice=d66).chances.total == 36
    assert problems(row("11–37", "nothing"), row("41–66", "nothing"), dice=d66) == [
        "row 11–37: expected totals that D66 can show, 11 to 66, got 37"
    ]
    assert problems(row("11–26", "nothing"), row("41–66", "nothing"), dice=d66) == [
        "row 31–36: expected a row for every total of D66, got none"
    ]


def test_what_else_is_refused():
    with pytest.raises(TableError, match="dice: expected Dice, got '1D6'"):
        Table("trial", "our own", "1D6", WHOLE, EFFECTS)  # type: ignore[arg-type]
    with pytest.raises(TableError, match="expected dice that read whole numbers"):
        table(*WHOLE, dice=Dice(1, 6, as_rolled))
    with pytest.raises(TableError, match="name: expected a name, got ' '"):
        table(*WHOLE, name=" ")
    with pytest.raises(TableError, match="expected each id once, got 'a' twice"):
        Table("trial", "", Dice(1, 6), WHOLE, (Effect("a"), Effect("a", ("n",))))


@pytest.mark.parametrize("totals", ["", "x", "1-2-3", "1–", None, 1.5, "9" * 20, True])
def test_totals_that_are_none(totals):
    with pytest.raises(ValueError, match="expected totals such as 7 or 2–4, got"):
        row(totals, "nothing")


@pytest.mark.parametrize("totals", ["2-4", "2–4", "2 − 4", "2~4", "２～４", " 2–4 "])
def test_totals_as_people_write_them(totals):
    assert row(totals, "nothing").range == "2–4"


@pytest.mark.parametrize(
    "dice",
    [
        Dice(1, 6),
        Dice(2, 6),
        Dice(3, 6, Plus(-2)),
        Dice(10, 6),
        Dice(3, 6, best_two),
        Dice(2, 10, percentile),
        parse("D66"),
    ],
    ids=str,
)
def test_every_row_is_reached_by_its_own_dice(dice):
    totals = sorted(dice.ways)
    whole = table(*[row(total, "nothing") for total in totals], dice=dice)
    reached = reach(whole)
    assert list(reached) == list(whole.rows)
    for line, faces in reached.items():
        assert dice.shows(faces)
        assert one_row(Scripted([faces]), whole, by="Mio") == line


def chained() -> Shelf:
    first = Table(
        "first",
        "our own",
        Dice(1, 6),
        (
            row("1–4", "nothing"),
            row(5, "nothing", again=2),
            row(6, "hurt", amount=1, again=1, then="second"),
        ),
        EFFECTS,
    )
    second = Table(
        "second",
        "our own",
        Dice(1, 6),
        (row("1–5", "hurt", amount=2), row(6, "nothing", then="first")),
        EFFECTS,
    )
    return Shelf((first, second))


def test_rows_come_in_the_order_of_the_rolls():
    shelf = chained()
    first, second = shelf.tables
    rolled = look_up(Scripted([(6,), (5,), (1,), (2,), (6,), (3,)]), first, shelf)
    assert rolled == (
        first.at(6),
        first.at(5),  # again, before the other table
        first.at(1),
        first.at(2),
        second.at(6),
        first.at(3),
    )
    assert look_up(Scripted([(2,)]), first, shelf) == (first.at(2),)


def test_exact_odds_of_a_chain():
    again = table(row("1–5", "nothing"), row(6, "hurt", amount=1, again=1))
    chain = Tables()(look_up, again)
    sixes = [
        chain.chance(lambda rows, n=n: len(rows) == n + 1)  # type: ignore[misc]
        for n in range(4)
    ]
    assert all(Fraction(5, 6 ** (n + 1)) in chance for n, chance in enumerate(sixes))
    assert sixes[0].low == Fraction(5, 6)
    assert 0 < chain.cut < Fraction(1, 10**12)
    assert sum(chain.ways.values()) + chain.unresolved == chain.total


def test_who_rolls_is_no_part_of_a_table_of_odds():
    shelf = chained()
    asked = []

    class Noted(Scripted):
        def roll(self, dice, by, why, clause):
            asked.append((by, why, clause))
            return super().roll(dice, by, why, clause)

    look_up(Noted([(6,), (1,), (1,)]), shelf.tables[0], shelf, by="Mio")
    assert asked == [
        ("Mio", "first", "our own"),
        ("Mio", "first", "our own"),
        ("Mio", "second", "our own"),
    ]


def test_average_rolls():
    assert average_rolls(chained().tables) == {
        "first": Fraction(42, 17),
        "second": Fraction(24, 17),
    }
    assert average_rolls(()) == {}
    assert average_rolls((table(*WHOLE),)) == {"trial": 1}


def test_endless_chains_are_refused():
    words = "table 'trial', chain: expected fewer than 1 further roll on average"
    for rows in (
        (row("1–6", "nothing", again=1),),
        (row("1–5", "nothing"), row(6, "nothing", again=6)),
        (row("1–6", "nothing", then="trial"),),
    ):
        with pytest.raises(TableError, match=words):
            table(*rows)
    assert table(row("1–5", "nothing"), row(6, "nothing", again=5))
    to = table(row("1–6", "nothing", then="fro"), name="to")
    fro = table(row("1–6", "nothing", then="to"), name="fro")
    with pytest.raises(TableError, match="table 'fro', chain: expected fewer than 1"):
        Shelf((to, fro))


def test_a_shelf_knows_its_tables():
    shelf = chained()
    assert shelf.table("second") is shelf.tables[1]
    with pytest.raises(KeyError, match=r"\(first, second\), got 'third'"):
        shelf.table("third")
    with pytest.raises(TableError, match="name: expected once on a shelf, got 2"):
        Shelf((table(*WHOLE), table(*WHOLE)))
    words = r"row 6: expected then to name a table of the shelf \(first\), got 'second'"
    with pytest.raises(TableError, match=words):
        Shelf(shelf.tables[:1])
    with pytest.raises(TableError, match=words):
        look_up(Scripted([(1,)]), shelf.tables[0])  # before anything is rolled


def test_numbers_of_a_row():
    assert row(1, "call", of=4, n=2).number("of") == 4
    with pytest.raises(KeyError, match="amount"):
        row(1, "call", of=4, n=2).number("amount")


LINES = """\
roll,effect,amount,words,again,then
1,hurt,2,"It bites, hard.",,
2–5,nothing,,,,
6,nothing,,,1,
"""


def read(text: str | Path, dice: Dice = ONE) -> Table:
    return from_csv("trial", "our own", dice, text, EFFECTS)


def test_files(tmp_path):
    path = tmp_path / "trial.csv"
    path.write_bytes(b"\xef\xbb\xbf" + LINES.replace("\n", "\r\n").encode())
    expected = table(
        row(1, "hurt", amount=2, words="It bites, hard."),
        row("2–5", "nothing"),
        row(6, "nothing", again=1),
    )
    assert read(LINES) == read(path) == read(str(path)) == expected


def test_rows_and_frames_there_and_back():
    shelf = chained()
    for whole in (*shelf.tables, read(LINES)):
        given = whole.name, whole.clause, whole.dice
        assert from_rows(*given, to_rows(whole), EFFECTS) == whole
        frame = to_polars(whole)
        assert isinstance(frame, polars.DataFrame) and len(frame) == len(whole.rows)
        assert from_polars(*given, frame, EFFECTS) == whole
    assert to_polars(shelf.tables[0])["amount"].to_list() == [None, None, 1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("roll,effect\nx,nothing\n", "row number 1: expected totals such as 7 or 2–4"),
        ("effect\nnothing\n", "expected a column roll, or low and high, got neither"),
        ("roll,effect\n1–6,\n", "effect: expected the id of an effect, got None"),
        (
            "roll,effect,amount\n1–6,hurt,many\n",
            "row number 1: amount: expected a whole number, got 'many'",
        ),
        (
            "roll,effect,amonut\n1–6,hurt,1\n",
            "row 1–6: expected 'hurt' with amount, got 'amonut'",
        ),
        ("roll,effect\n1–6,nothing,3\n", "row number 1: expected 2 cells, got 3"),
        ("roll,roll,effect\n1,6,nothing\n", "columns: expected each once, got 'roll'"),
        ("roll,effect\n1–5,nothing\n", "row 6: expected a row for every total of 1D6"),
        ("roll,effect\n1–6,nothing\n1–6,nothing\n", "row 1–6: expected once"),
        ("roll,effect\n", "row 1–6: expected a row for every total of 1D6, got none"),
        (
            "low,high,effect\n1,x,nothing\n",
            "row number 1: high: expected a whole number, got 'x'",
        ),
    ],
)
def test_files_that_are_refused(text, words):
    with pytest.raises(TableError) as refused:
        read(text)
    assert str(refused.value).startswith("table 'trial', ")
    assert words in str(refused.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(TableError, match="expected a file to read"):
        read(tmp_path / "none.csv")
    large = tmp_path / "large.csv"
    large.write_bytes(b"roll,effect\n" + b"1,nothing\n" * 100_001)
    with pytest.raises(TableError, match="expected at most 1,000,000 bytes"):
        read(large)
    other = tmp_path / "other.csv"
    other.write_bytes(b"roll,effect\n1\x966,nothing\n")
    with pytest.raises(TableError, match="expected UTF-8 text"):
        read(other)


def test_rows_that_are_no_mappings():
    with pytest.raises(TableError, match="row number 2: expected a mapping of columns"):
        from_rows(
            "trial", "", Dice(1, 6), [{"roll": 1, "effect": "nothing"}, 3], EFFECTS
        )
    with pytest.raises(TableError, match="row number 1: words: expected text, got 5"):
        lines = [{"roll": "1–6", "effect": "nothing", "words": 5}]
        from_rows("trial", "", Dice(1, 6), lines, EFFECTS)


def test_words_are_text():
    shown = table(row("1–6", "nothing", words="<img src=x onerror=alert(1)>"))
    assert "<img" not in shown._repr_html_()
    assert "&lt;img src=x" in shown._repr_html_()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"effects": list(EFFECTS)}, "effects: expected a tuple, got [Effect("),
        ({"effects": ("hurt",)}, "effects: expected a Effect, got 'hurt'"),
        ({"rows": list(WHOLE)}, "rows: expected a tuple, got [Row("),
        ({"clause": ""}, "clause: expected a clause's id, got ''"),
        ({"clause": 5}, "clause: expected a clause's id, got 5"),
        ({"rows": (replace(WHOLE[0], words=5),)}, "words: expected text, got 5"),
        ({"rows": (replace(WHOLE[0], then=5),)}, "then: expected text, got 5"),
        ({"rows": (replace(WHOLE[0], effect=["nothing"]),)}, "got ['nothing']"),
    ],
)
def test_fields_of_another_kind(change, said):
    fields = {"name": "trial", "clause": "our own", "dice": ONE, "rows": WHOLE}
    with pytest.raises(TableError) as refused:
        Table(**{**fields, "effects": EFFECTS, **change})
    assert said in str(refused.value)


def test_totals_that_only_look_like_them():
    with pytest.raises(ValueError, match="expected a total that 1D6 can show"):
        table(*WHOLE).at(True)
    with pytest.raises(ValueError, match="expected totals such as 7 or 2–4"):
        row("٢", "nothing")
    assert row("２–４", "nothing").range == "2–4"
