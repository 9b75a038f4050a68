"""The book: what every page promises, and what a reader does with it in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

import tabletop_kit as tk
from tabletop_kit.core.clauses import KINDS
from tools import book, execute
from tools.notebooks import paths, read, read_all

LIMIT = 1_500_000
"""Bytes a page may have."""


@dataclass
class Parsed(HTMLParser):
    """What a page consists of, as far as the tests ask."""

    text: str
    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    headings: list[int] = field(default_factory=list)
    landmarks: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name in ("href", "xlink:href", "action"):
                (self.links if tag in ("a", "form") else self.loaded).append(
                    value or ""
                )
            elif name in ("src", "srcset", "data", "poster"):
                self.loaded.append(value or "")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag in ("header", "nav", "main"):
            self.landmarks.append(tag)


@dataclass
class Made:
    """The book in a folder of its own."""

    folder: Path
    pages: dict[str, Parsed]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("made") / "book"
    book.write(book.read_book(), folder)
    found = sorted(folder.rglob("*.html"))
    names = [path.relative_to(folder).as_posix() for path in found]
    texts = [path.read_text("utf-8") for path in found]
    return Made(folder, dict(zip(names, map(Parsed, texts), strict=True)))


# What the files hold


def test_every_notebook_is_a_small_page_that_loads_nothing_from_afar(
    made: Made,
) -> None:
    chapters = {
        path.relative_to(book.ROOT / "nbs").with_suffix(".html").as_posix()
        for path in paths()
    }
    assert made.pages.keys() - chapters == {"clauses.html", "terms.html", "search.html"}
    assert chapters <= made.pages.keys()
    for name, page in made.pages.items():
        assert len(page.text.encode()) < LIMIT, name
        for address in page.loaded:
            if not address.startswith("data:"):
                file = (made.folder / name).parent / address
                assert file.resolve().is_relative_to(made.folder.resolve()), address
                assert file.is_file(), (name, address)
    for style in (made.folder / "assets").glob("*.css"):
        assert not re.search(r"@import|url\(\s*[^#d)]", style.read_text("utf-8"))


def test_links_lead_to_pages_and_anchors_of_the_book(made: Made) -> None:
    broken = []
    for name, page in made.pages.items():
        assert len(page.ids) == len(set(page.ids)), name
        for link in page.links:
            if re.match("https?:", link):
                continue
            address, _, anchor = link.partition("#")
            file = ((made.folder / name).parent / unquote(address)).resolve()
            target = file.relative_to(made.folder.resolve()) if address else Path(name)
            there = made.pages.get(target.as_posix())
            if there is None or (anchor and unquote(anchor) not in there.ids):
                broken.append((name, link))
    assert not broken


def test_pages_have_landmarks_and_headings_in_order(made: Made) -> None:
    for name, page in made.pages.items():
        assert page.headings.count(1) == 1 and page.headings[0] == 1, name
        steps = zip(page.headings, page.headings[1:], strict=False)
        assert all(later <= earlier + 1 for earlier, later in steps), name
        assert page.landmarks.count("main") == page.landmarks.count("header") == 1
        assert '<html lang="en">' in page.text and 'href="#main"' in page.text


def test_chapters_stand_in_reading_order(made: Made) -> None:
    start = made.pages["index.html"].links
    listed = [link for link in start if link in made.pages and link.count("/") == 1]
    listed = list(dict.fromkeys(listed[: len(made.pages)]))
    places = [
        listed.index(one)
        for one in (
            "formation/01_sheets.html",
            "formation/16_worth.html",
            "formation/20_measures.html",
            "core/01_dice.html",
            "widgets/01_display.html",
        )
    ]
    assert places == sorted(places)
    rows = made.pages["formation/02_rows_and_range.html"].text
    (before,) = re.findall(r'rel="prev" href="([^"]*)"', rows)
    (after,) = re.findall(r'rel="next" href="([^"]*)"', rows)
    assert (before, after) == (
        "../formation/01_sheets.html",
        "../formation/03_attacks.html",
    )


def test_the_index_lists_every_clause(made: Made) -> None:
    links = {unquote(link) for link in made.pages["clauses.html"].links}
    text = made.pages["clauses.html"].text
    assert tk.clauses().height > 100
    for clause in tk.clauses().iter_rows(named=True):
        page = clause["notebook"].removeprefix("nbs/").replace(".ipynb", ".html")
        assert f"{page}#{clause['anchor']}" in links, clause["id"]
        examples = "example" if clause["examples"] == 1 else "examples"
        (entry,) = re.findall(rf'<li id="{clause["id"]}">.*?</li>', text, re.S)
        assert f"{clause['examples']} {examples}" in entry
        assert f">{KINDS[clause['kind']]}<" in entry


def test_a_reader_is_told_the_kind_of_a_clause_in_words(made: Made) -> None:
    told = {
        "formation/14_ambush.html": "the game master decides · Ambush",
        "formation/12_entering.html": "optional rule · ",
    }
    for page, words in told.items():
        assert f'<p class="kind"><em>{words}' in made.pages[page].text
    for written in made.pages.values():
        assert '<p class="kind"><em>gm' not in written.text
    assert ">gm<" not in made.pages["clauses.html"].text


def test_the_index_lists_every_term_with_the_originals(made: Made) -> None:
    said = re.compile(
        r"\*\*([^*]+)\*\*\s+\(([^()]*[\u3040-\u9fff\uac00-\ud7af][^()]*)\)"
    )
    text = made.pages["terms.html"].text.lower()
    found = [
        pair
        for notebook in read_all()
        for cell in notebook.cells
        if cell.kind == "markdown"
        for pair in said.findall(cell.source)
    ]
    assert len(found) > 50
    for word, original in found:
        word = " ".join(word.split()).lower()
        row = rf">{re.escape(word)}</th><td lang=\"(ja|ko)\">{re.escape(original)}<"
        assert re.search(row, text), (word, original)


def test_code_of_the_library_is_folded_and_examples_are_not(made: Made) -> None:
    text = made.pages["formation/02_rows_and_range.html"].text
    assert '<details class="code" id="cell-distance"><summary>Code' in text
    assert '<div class="code" id="cell-distance-example">' in text
    assert "default_exp" not in text and "#| export" not in text


def chapter(folder: Path, *outputs: dict[str, object]) -> book.Page:
    """The page of a notebook with some Markdown and one cell that shows something."""
    markdown = "# Title\n\nSee [that](../core/01_dice.ipynb#A-b) and 戦闘 and 전투."
    kept = {
        "cells": [
            {"cell_type": "markdown", "id": "a", "metadata": {}, "source": markdown},
            {
                "cell_type": "code",
                "execution_count": 1,
                "id": "shown",
                "metadata": {},
                "outputs": list(outputs),
                "source": "x",
            },
        ],
        "metadata": execute.METADATA,
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path = folder / "nbs" / "formation" / "01_one.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(kept), "utf-8")
    page = book.page_of(read(path, folder))
    book.Chapter(page, {"FM-ROW-01": "formation/02.html#x"}, {}).make(kept)
    return page


def shown(**data: str) -> dict[str, object]:
    kinds = {kind.replace("__", "/"): text for kind, text in data.items()}
    return {"output_type": "display_data", "metadata": {}, "data": kinds}


def test_a_page_shows_the_best_static_form_of_an_output(tmp_path: Path) -> None:
    colored = '<p style="color:#1d1e22;background:#fff">距離 <span>FM-ROW-01</span></p>'
    frame = "<iframe srcdoc=\"<p title='>戦闘<'>#fff <b>FM-ROW-01</span>\"></iframe>"
    rude = "<script>alert(1)</script>"
    page = chapter(
        tmp_path,
        shown(text__html=colored, text__plain="no"),
        shown(text__html=frame),
        shown(text__html=frame.replace("'", "^").replace('"', "'")),
        shown(text__plain=rude),
        {"output_type": "stream", "name": "stdout", "text": [rude]},
    )
    assert (page.url, page.title) == ("formation/01_one.html", "Title")
    assert 'href="../core/01_dice.html#A-b"' in page.body
    assert '<span lang="ja">戦闘</span> and <span lang="ko">전투</span>' in page.body
    assert '<p style="color:var(--tk-ink);background:var(--tk-panel)">' in page.body
    assert '<span lang="ja">距離</span>' in page.body and ">no<" not in page.body
    assert 'href="../formation/02.html#x">FM-ROW-01</a></span>' in page.body
    assert frame in page.body and page.body.count("<p title=") == 2
    assert page.body.count("#fff <b>FM-ROW-01</span>") == 2
    assert "<script" not in page.body and page.body.count("&lt;script") == 2


def test_a_widget_that_was_saved_live_is_named(tmp_path: Path) -> None:
    live = {"model_id": "0"}
    state = {"application/vnd.jupyter.widget-view+json": live, "text/plain": "Study"}
    both = state | {"text/html": "<p>drawn</p>"}
    saved: list[dict[str, object]] = [
        {"output_type": "display_data", "metadata": {}, "data": data}
        for data in (both, state)
    ]
    first, second = tmp_path / "drawn", tmp_path / "live"
    pages = [chapter(first, saved[0]), chapter(second, *saved)]
    assert [len(page.undrawn) for page in pages] == [0, 1]
    made = book.Book([book.Group("Start", pages)], [], [])
    (warning,) = made.warnings()
    assert warning.startswith("nbs/formation/01_one.ipynb, cell shown: shows its words")
    assert warning.endswith("python -m tools.execute nbs/formation/01_one.ipynb")


# In a browser, from files, with the network off

Open = Callable[..., Page]

LEFT = "net::ERR_ABORTED"
"""What a browser says of a file it was reading when the reader went to another page."""


@pytest.fixture
def open_page(made: Made, chromium: Browser) -> Iterator[Open]:
    """open_page("index.html", width=1400, dark=False): fails at the end on any error."""
    contexts, errors = [], []

    def open_(name: str, width: int = 1400, dark: bool = False) -> Page:
        context = chromium.new_context(
            viewport={"width": width, "height": 1000},
            color_scheme="dark" if dark else "light",
            offline=True,
        )
        contexts.append(context)
        context.set_default_timeout(10_000)
        page = context.new_page()
        page.on(
            "console",
            lambda said: errors.append(said.text) if said.type == "error" else None,
        )
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "requestfailed",
            lambda gone: errors.append(gone.url) if gone.failure != LEFT else None,
        )
        page.on(
            "request",
            lambda sent: errors.append(sent.url) if sent.url[:4] == "http" else None,
        )
        page.goto(address(made, name))
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not errors


def address(made: Made, name: str) -> str:
    return (made.folder / name.partition("?")[0]).as_uri() + "".join(
        name.partition("?")[1:]
    )


SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"


@pytest.mark.browser
def test_every_page_opens_without_a_network(made: Made, open_page: Open) -> None:
    page = open_page("index.html", width=700)
    for name in made.pages:
        page.goto(address(made, name))
        assert page.evaluate(SIDEWAYS) <= 0, name


@pytest.mark.browser
@pytest.mark.parametrize(
    ("width", "dark", "names"),
    [
        (360, True, ("formation/06_turn_end.html", "clauses.html")),
        (1400, False, ("widgets/04a_worksheets.html", "search.html?q=range")),
    ],
)
def test_pages_fit_and_axe_finds_nothing(
    made: Made, open_page: Open, width: int, dark: bool, names: tuple[str, ...]
) -> None:
    page = open_page("index.html", width, dark)
    for name in names:
        page.goto(address(made, name))
        assert page.evaluate(SIDEWAYS) <= 0, name
        found = Axe().run(page, options={"preload": False})
        assert not found.violations_count, (name, found.generate_report())


@pytest.mark.browser
def test_the_search_is_played_by_keys(open_page: Open) -> None:
    page = open_page("formation/04_turns.html")
    page.keyboard.press("/")
    page.keyboard.type("fm-rng-02")
    found = page.locator("#found")
    expect(found.get_by_role("link").first).to_contain_text("FM-RNG-02 · Distance")
    page.keyboard.press("ArrowDown")
    expect(found.get_by_role("link").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(found).to_be_hidden()
    page.locator("#query").fill("射程")
    expect(found.get_by_role("link").first).to_contain_text("FM-RNG-01 · Range")
    expect(found.locator("mark").first).to_have_text("射程")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"02_rows_and_range\.html#FM-RNG-01"))
    expect(page.locator("h3:target")).to_be_in_viewport()

    page.locator("#query").fill("row distance")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"search\.html\?q=row"))
    everything = page.locator("#all-found")
    expect(everything.get_by_role("status")).to_contain_text(re.compile(r"\d sections"))
    expect(everything.get_by_role("link").first).to_contain_text("FM-RNG-02")
    page.locator("#query").fill("xyzzy 戦車")
    expect(everything.get_by_role("status")).to_contain_text("Nothing found")


@pytest.mark.browser
def test_exercises_are_played_in_the_page(open_page: Open) -> None:
    page = open_page("widgets/04_exercises.html", width=700)
    predict, spot, practice = (page.locator(".tk-exercise").nth(n) for n in range(3))
    expect(predict.get_by_role("heading", level=2)).to_contain_text("She steps back")
    predict.get_by_role("button", name="3").click()
    expect(predict.locator(".tk-ex-told")).to_contain_text("Not so.")
    predict.get_by_role("button", name="1", exact=True).click()
    expect(predict).to_contain_text("Right.")
    chip = predict.get_by_role("link", name="FM-RNG-03").first
    assert (chip.get_attribute("href") or "").startswith("../formation/02_rows")
    spot.get_by_role("button", name="Aki strikes the slinger.").press("Enter")
    expect(spot.locator(".tk-ex-told")).to_contain_text("Too far: 2 away, range 1.")

    questions = []
    for number in (1, 2, 3, 1):
        expect(practice.get_by_text(f"No. {number}")).to_be_visible()
        questions.append(practice.get_by_role("heading").inner_text())
        practice.get_by_role("button", name="Another one").click()
    assert questions[0] == questions[3] and len(set(questions)) > 1

    page = open_page("widgets/04a_worksheets.html", width=700)
    chance, may = (page.locator(".tk-exercise").nth(n) for n in (0, 2))
    chance.get_by_role("spinbutton", name="Your guess").fill("3")
    chance.get_by_role("button", name="Check").click()
    expect(chance.locator(".tk-ex-told")).to_contain_text("On the spot.")
    may.get_by_role("checkbox", name="Attack Brute").check()
    may.get_by_role("button", name="Check").click()
    expect(may).to_contain_text("Too far: 3 away, range 2.")
    expect(may.get_by_role("link", name="FM-RNG-03")).to_be_visible()


@pytest.mark.browser
def test_the_dark_is_the_systems_or_the_readers_choice(open_page: Open) -> None:
    def ground(page: Page) -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    dark = ground(open_page("index.html", dark=True))
    page = open_page("widgets/04_exercises.html")
    light = ground(page)
    assert (light, dark) == ("rgb(255, 255, 255)", "rgb(27, 28, 31)")
    page.get_by_role("button", name="Dark colors").click()
    assert ground(page) == dark
    page.get_by_role("link", name="Clauses").click()
    expect(page.get_by_role("button", name="Light colors")).to_be_visible()
    assert ground(page) == dark


@pytest.mark.browser
def test_a_link_to_folded_code_opens_it(open_page: Open) -> None:
    page = open_page("formation/02_rows_and_range.html")
    page.evaluate("location.hash = 'cell-distance'")
    expect(page.locator("#cell-distance pre")).to_be_visible()
