"""Make the book: every notebook as a page that needs no kernel and no network.

python -m tools.book          write build/book from the outputs the notebooks keep
python -m tools.book --run    run the notebooks first

Cells become HTML as in nbconvert: Markdown, colored code, outputs with text/html first.
Templates, style and scripts of the pages are in tools/book.
"""

import argparse
import ast
import base64
import json
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2
from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PageElement
from nbconvert.filters import Highlight2HTML, ansi2html
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from tabletop_kit.core.clauses import KINDS
from tabletop_kit.widgets.assets import joined, styles
from tools import collect, execute
from tools.notebooks import CLAUSE_ID, PACKAGE, ROOT, Cell, Notebook, paths, read

TARGET = ROOT / "build" / "book"
PARTS = Path(__file__).parent / "book"
STATIC = ROOT / PACKAGE / "widgets" / "static"

BUILT_WITH = 20
"""Chapters of a system with this number and above say what it is built with."""

SHARED = {"core": "The core", "widgets": "What is shown", "lessons": "Lessons"}
"""Folders that hold no system, in reading order."""

PRIORITY = ("text/html", "image/svg+xml", "image/png", "text/plain")
"""Which form of an output a page shows: the first there is."""

LIVE = "application/vnd.jupyter.widget-view+json"
"""The form of an output that only a kernel can show."""

_COLORS = {
    "#1d1e22": "var(--tk-ink)",
    "#4c4d54": "var(--tk-ink-2)",
    "#b4172f": "var(--tk-threatened)",
    "#2f7d5f": "var(--tk-hp)",
    "#e3e1db": "var(--tk-line)",
    "#f6f5f2": "var(--tk-sunken)",
    "#bbb": "var(--tk-edge)",
    "#fff": "var(--tk-panel)",
}
"""The colors of static forms, which know no theme, as those of a page, which does."""

_COLOR = re.compile("|".join(sorted(_COLORS, key=len, reverse=True)) + r"\b")
_STYLE = re.compile(r'style="[^"]*"')
_TABLE_STYLE = re.compile(r"<style>\s*\.dataframe.*?</style>", re.S)
_NO_HEADING = re.compile(r"<th\b([^>]*)></th>")
_CARRIED = re.compile(r"""((?:srcdoc|data-tk-exercise)=(?:"[^"]*"|'[^']*'))""")
"""What an output carries for a script: not to be touched."""
_ID = re.compile(CLAUSE_ID)
_CHIP = re.compile(rf">({CLAUSE_ID})</span>")
_CJK = r"\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_FOREIGN = re.compile(rf"[{_CJK}][{_CJK}・ー～＋0-9A-Z]*")
_ORIGINAL = re.compile(rf"\s*\(([^()]*[{_CJK}][^()]*)\)")
_FOREIGN_TEXT = re.compile(rf">([^<>]*[{_CJK}][^<>]*)<")


@dataclass
class Section:
    """What stands under one heading: the unit of search."""

    anchor: str
    title: str
    level: int
    words: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Place:
    """Somewhere in the book."""

    url: str
    title: str


@dataclass
class Page:
    """A notebook as a page.

    Args:
        url: where it lies in the book, such as formation/01_sheets.html.
    """

    book: Notebook
    url: str
    title: str
    sections: list[Section] = field(default_factory=list)
    body: str = ""
    named: dict[str, str] = field(default_factory=dict)
    """Where the clauses are that its exercises name."""
    undrawn: list[Cell] = field(default_factory=list)
    """Cells whose widgets were saved without a drawn form."""

    @property
    def number(self) -> int:
        """The number its file's name begins with."""
        found = re.match(r"\d+", Path(self.url).name)
        return int(found[0]) if found else 0


@dataclass
class Group:
    """Pages that stand together in the navigation."""

    title: str
    pages: list[Page]


@dataclass
class Term:
    """A word of the rules beside the original's."""

    word: str
    original: str
    language: str
    places: list[Place] = field(default_factory=list)


# Where everything is


def grouped(pages: Iterable[Page]) -> list[Group]:
    """All pages in reading order: start, systems (to play first), then the kit."""
    by_folder: dict[str, list[Page]] = {}
    for page in pages:
        by_folder.setdefault(page.book.folder, []).append(page)
    groups = [Group("Start", by_folder.pop("", []))]
    for folder in sorted(by_folder.keys() - SHARED.keys()):
        chapters = by_folder[folder]
        played = [page for page in chapters if page.number < BUILT_WITH]
        built = [page for page in chapters if page.number >= BUILT_WITH]
        name = played[0].title if played else folder.title()
        groups += [Group(name, played), Group(f"{name}: what it is built with", built)]
    groups += [Group(title, by_folder.get(name, [])) for name, title in SHARED.items()]
    return [group for group in groups if group.pages]


def page_of(book: Notebook) -> Page:
    """The page of a notebook, still empty."""
    heading = next(
        (found for cell in book.cells if (found := re.match(r"# (.+)", cell.source))),
        None,
    )
    url = book.path.removeprefix("nbs/").removesuffix(".ipynb") + ".html"
    return Page(book, url, heading[1].strip() if heading else Path(url).stem)


def way(here: str, there: str) -> str:
    """The relative address of a place of the book, seen from a page."""
    page, mark, anchor = there.partition("#")
    up = "../" * here.count("/")
    return up + quote(page) + mark + quote(anchor, safe="·-")


# Cells


class Chapter:
    """Turns the cells of a notebook into the body of its page."""

    def __init__(self, page: Page, clauses: dict[str, str], terms: dict[Any, Term]):
        self.page, self.clauses, self.terms = page, clauses, terms
        self._anchors: set[str] = set()
        self._color = Highlight2HTML(pygments_lexer="python")

    def make(self, content: dict[str, Any]) -> None:
        """Fill the page."""
        cells = zip(self.page.book.cells, content["cells"], strict=True)
        parts = (part for cell, raw in cells for part in self._cell(cell, raw))
        self.page.body = "\n".join(parts)

    def _cell(self, cell: Cell, raw: dict[str, Any]) -> Iterator[str]:
        if cell.kind == "markdown":
            yield self._prose(cell.source)
        elif cell.kind == "code" and "default_exp" not in cell.directives:
            hidden = raw["metadata"].get("jupyter", {}).get("source_hidden", False)
            yield self._code(cell, folded=hidden or cell.exported)
            outputs = raw.get("outputs", ())
            if any(map(_is_undrawn, outputs)):
                self.page.undrawn.append(cell)
            shown = [self._output(output) for output in outputs]
            if shown:
                yield f'<div class="outputs">{"".join(shown)}</div>'

    # Words

    def _prose(self, source: str) -> str:
        markdown = MarkdownWithMath(
            renderer=IPythonRenderer(escape=False, exclude_anchor_links=True)
        )
        soup = BeautifulSoup(markdown.render(source), "html.parser")
        for element in list(soup.contents):
            if isinstance(element, Tag) and re.fullmatch(r"h[1-6]", element.name):
                self._heading(soup, element)
            elif self.page.sections and not _is_kind(element):
                self.page.sections[-1].words.append(_flat(element.get_text("")))
        for link in soup.find_all("a"):
            link["href"] = self._target(str(link.get("href", "")))
        for strong in soup.find_all("strong"):
            self._term(strong)
        for table in soup.find_all("table"):
            table.wrap(soup.new_tag("div", attrs={"class": "wide"}))
        for text in list(soup.find_all(string=True)):
            if isinstance(text, NavigableString):
                self._text(soup, text)
        return str(soup)

    def _heading(self, soup: BeautifulSoup, heading: Tag) -> None:
        title = _flat(heading.get_text())
        anchor = self._own(title.replace(" ", "-"))
        heading["id"] = anchor
        level = int(heading.name[1])
        self.page.sections.append(Section(anchor, title, level))
        number, dot, rest = title.partition(" · ")
        if dot and _ID.fullmatch(number):
            heading.clear()
            chip = soup.new_tag("a", attrs={"class": "chip", "href": f"#{anchor}"})
            chip.string = number
            words = soup.new_tag("span")
            words.string = rest
            heading.extend([chip, " ", words])
            following = heading.find_next_sibling()
            if following is not None and following.name == "p":
                following["class"] = "kind"
        elif level == 1 and (lead := heading.find_next_sibling("blockquote")):
            lead.name = "div"
            lead["class"] = "lead"

    def _own(self, anchor: str) -> str:
        """An anchor nothing else of the page has."""
        wanted, number = anchor, 1
        while anchor in self._anchors:
            number += 1
            anchor = f"{wanted}-{number}"
        self._anchors.add(anchor)
        return anchor

    def _target(self, address: str) -> str:
        """A link to a notebook leads to its page; others stay."""
        if re.match(r"[a-z]+:|#", address):
            return address
        return re.sub(r"\.ipynb(?=#|$)", ".html", address)

    def _term(self, strong: Tag) -> None:
        following = strong.next_sibling
        found = isinstance(following, NavigableString) and _ORIGINAL.match(following)
        if not found:
            return
        word, original = _uncapitalized(_flat(strong.get_text())), found[1]
        anchor = self._own(f"term-{word.lower().replace(' ', '-')}")
        strong["id"] = anchor
        term = self.terms.setdefault(
            (word, original), Term(word, original, _language(original))
        )
        title = self.page.sections[-1].title if self.page.sections else self.page.title
        term.places.append(Place(f"{self.page.url}#{anchor}", title))

    def _text(self, soup: BeautifulSoup, text: NavigableString) -> None:
        """Name the language of other scripts, make links of clauses."""
        parents = {parent.name for parent in text.parents}
        if parents & {"code", "pre", "a"} or type(text) is not NavigableString:
            return
        marked = self._marked(escape(text, quote=False))
        if marked != escape(text, quote=False):
            text.replace_with(BeautifulSoup(marked, "html.parser"))

    def _marked(self, text: str) -> str:
        return _ID.sub(lambda found: self._chip(found[0]), _with_language(text))

    def _chip(self, clause: str) -> str:
        target = self.clauses.get(clause)
        if target is None:
            return clause
        address = escape(way(self.page.url, target))
        return f'<a class="chip" href="{address}">{clause}</a>'

    # Code

    def _code(self, cell: Cell, folded: bool) -> str:
        lines = [x for x in cell.source.splitlines() if not x.startswith("#|")]
        colored = self._color("\n".join(lines).strip("\n"))
        anchor = escape(self._own(f"cell-{cell.id}"))
        if not folded:
            return f'<div class="code" id="{anchor}">{colored}</div>'
        names = _defined(cell.source)
        if cell.exported and self.page.sections:
            self.page.sections[-1].words += names
        said = " ".join(f"<code>{escape(name)}</code>" for name in names)
        label = "Imports" if cell.id == "imports" else "Code"
        return (
            f'<details class="code" id="{anchor}"><summary>{label} {said}</summary>'
            f"{colored}</details>"
        )

    # Outputs

    def _output(self, output: dict[str, Any]) -> str:
        if output["output_type"] == "stream":
            return _said(_joined(output["text"]))
        if output["output_type"] == "error":
            return _said(f"{output['ename']}: {output['evalue']}")
        data: dict[str, Any] = output["data"]
        kind = next((kind for kind in PRIORITY if kind in data), None)
        if kind is None:
            return ""
        shown = _joined(data[kind])
        match kind:
            case "text/html":
                return f'<div class="shown">{self._html(shown)}</div>'
            case "image/svg+xml" | "image/png":
                return _image(kind, shown, _joined(data.get("text/plain", "")))
        return _said(shown)

    def _html(self, shown: str) -> str:
        """A static form in the page's colors, its clauses as links."""
        parts = _CARRIED.split(_TABLE_STYLE.sub("", shown))
        for clause in _ID.findall("".join(parts[1::2])):
            if target := self.clauses.get(clause):
                self.page.named[clause] = way(self.page.url, target)
        parts[::2] = map(self._dressed, parts[::2])
        return "".join(parts)

    def _dressed(self, shown: str) -> str:
        shown = _NO_HEADING.sub(r"<td\1></td>", shown)
        shown = _STYLE.sub(
            lambda style: _COLOR.sub(lambda color: _COLORS[color[0]], style[0]), shown
        )
        shown = _CHIP.sub(lambda found: f">{self._chip(found[1])}</span>", shown)
        return _FOREIGN_TEXT.sub(lambda found: f">{_with_language(found[1])}<", shown)


def _is_undrawn(output: dict[str, Any]) -> bool:
    """Whether it is a widget that was saved with no form to be shown without it."""
    data = output.get("data", {})
    return LIVE in data and data.keys().isdisjoint(PRIORITY[:-1])


def _is_kind(element: PageElement) -> bool:
    """Whether it is the line under a clause's heading."""
    return isinstance(element, Tag) and element.get("class") == "kind"


def _with_language(text: str) -> str:
    return _FOREIGN.sub(
        lambda found: f'<span lang="{_language(found[0])}">{found[0]}</span>', text
    )


def _uncapitalized(word: str) -> str:
    return word if word[1:2].isupper() else word[:1].lower() + word[1:]


def _language(text: str) -> str:
    return "ko" if re.search(r"[\uac00-\ud7af]", text) else "ja"


def _defined(source: str) -> list[str]:
    """What code defines by name, for the line of its fold."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    names = [node.name for node in ast.parse(source).body if isinstance(node, kinds)]
    return [name for name in names if not name.startswith("_")]


def _said(text: str) -> str:
    return f'<pre class="said">{ansi2html(text.rstrip())}</pre>'


def _image(kind: str, shown: str, words: str) -> str:
    data = shown.strip()
    if kind == "image/svg+xml":
        data = base64.b64encode(shown.encode()).decode()
    return f'<img alt="{escape(words)}" src="data:{kind};base64,{data}">'


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


def _flat(text: str) -> str:
    return " ".join(text.split())


# The whole book


@dataclass
class Book:
    """Everything the pages are made of."""

    groups: list[Group]
    clauses: list[collect.Clause]
    terms: list[Term]

    @cached_property
    def pages(self) -> list[Page]:
        """All chapters, in reading order."""
        return [page for group in self.groups for page in group.pages]

    def warnings(self) -> Iterator[str]:
        """The cells a reader would miss the picture of, and how they get one."""
        for book, undrawn in ((page.book, page.undrawn) for page in self.pages):
            for cell in undrawn:
                yield (
                    f"{book.at(cell)}: shows its words only, its widget was saved live; "
                    f"to draw it: python -m tools.execute {book.path}"
                )

    def place_of(self, clause: collect.Clause) -> str:
        """Where a clause stands."""
        return _place(clause)

    def kind_of(self, clause: collect.Clause) -> str:
        """What a clause is, as a reader is told."""
        return KINDS.get(clause.kind, clause.kind)

    def systems(self) -> list[tuple[str, list[tuple[str, list[collect.Clause]]]]]:
        """Clauses by system and part, parts in the order in which they are read."""
        order = {page.book.path: at for at, page in enumerate(self.pages)}
        names = {page.book.folder: page.title for page in reversed(self.pages)}
        found = []
        for system, ours in groupby(self.clauses, lambda clause: clause.system):
            parts: dict[str, list[collect.Clause]] = {}
            for clause in sorted(ours, key=lambda clause: order[clause.notebook]):
                parts.setdefault(clause.part, []).append(clause)
            for clauses in parts.values():
                clauses.sort(key=lambda clause: clause.id)
            found.append((names[system], list(parts.items())))
        return found

    def title_of(self, notebook: str) -> str:
        """The title of a notebook's page."""
        return next(p.title for p in self.pages if p.book.path == notebook)

    def searched(self) -> dict[str, list[Any]]:
        """What the search looks through, as its script wants it."""
        pages = [[page.url, page.title] for page in self.pages]
        rows = [
            [at, section.anchor, *map(_plain, (section.title, " ".join(section.words)))]
            for at, page in enumerate(self.pages)
            for section in page.sections
        ]
        return {"pages": pages, "rows": rows}


def _plain(text: str) -> str:
    """Text as it is searched: wide letters and digits as narrow ones."""
    return unicodedata.normalize("NFKC", text)


def _place(clause: collect.Clause) -> str:
    page = clause.notebook.removeprefix("nbs/").removesuffix(".ipynb") + ".html"
    return f"{page}#{clause.anchor}"


def read_book(root: Path = ROOT, run: bool = False) -> Book:
    """All notebooks as pages, without their frames."""
    sources = [(path, read(path, root)) for path in paths(root)]
    clauses = collect.collect(book for _, book in sources).clauses
    places = {clause.id: _place(clause) for clause in clauses}
    pages = {page_of(book).url: (page_of(book), path) for path, book in sources}
    groups = grouped(page for page, _ in pages.values())
    terms: dict[Any, Term] = {}
    for group in groups:
        for page in group.pages:
            path = pages[page.url][1]
            kept = json.loads(path.read_text("utf-8"))
            content = execute.execute(path) if run else kept
            Chapter(page, places, terms).make(content)
    by_word = sorted(terms.values(), key=lambda term: term.word.lower())
    return Book(groups, clauses, by_word)


def write(book: Book, target: Path = TARGET) -> None:
    """Write the book as a folder that opens by its index.html."""
    if target.exists():
        shutil.rmtree(target)
    (target / "assets").mkdir(parents=True)
    for name, text in assets(book).items():
        (target / "assets" / name).write_text(text, "utf-8")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(PARTS),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )

    def write_page(template: str, url: str, **values: Any) -> None:
        text = environment.get_template(template).render(
            book=book, here=url, to=lambda there: way(url, there), **values
        )
        (target / url).parent.mkdir(parents=True, exist_ok=True)
        (target / url).write_text(text, "utf-8")

    pages = book.pages
    after = {page.url: later for page, later in pairwise(pages)}
    before = {page.url: earlier for earlier, page in pairwise(pages)}
    for page in pages:
        neighbors = {"before": before.get(page.url), "after": after.get(page.url)}
        write_page("chapter.html", page.url, page=page, title=page.title, **neighbors)
    write_page("clauses.html", "clauses.html", title="All clauses")
    write_page("terms.html", "terms.html", title="All terms")
    write_page("search.html", "search.html", title="Search")


def assets(book: Book) -> dict[str, str]:
    """Styles, scripts and what the search looks through."""
    tokens = (STATIC / "tokens.css").read_text("utf-8")
    in_page = tokens.replace(".tk-root", ":root")
    rows = json.dumps(book.searched(), ensure_ascii=False, separators=(",", ":"))
    return {
        "book.css": in_page + (PARTS / "book.css").read_text("utf-8"),
        "kit.css": styles("exercise"),
        "theme.js": (PARTS / "theme.js").read_text("utf-8"),
        "book.js": (PARTS / "book.js").read_text("utf-8"),
        "exercise.js": _as_script("exercise"),
        "search-data.js": f"window.tkSearched = {rows};\n",
    }


def _as_script(name: str) -> str:
    """A module of the kit as a plain script: a file's page may load no modules."""
    text = re.sub(
        r"^export default (.*?);$",
        rf"window.tkWidgets.{name} = \1;",
        joined(name),
        flags=re.M,
    )
    return f"window.tkWidgets ??= {{}};\n(() => {{\n{text}}})();\n"


def main() -> int:
    """Write the book."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--run", action="store_true", help="run the notebooks first")
    parser.add_argument("--target", type=Path, default=TARGET, metavar="FOLDER")
    given = parser.parse_args()
    book = read_book(run=given.run)
    write(book, given.target)
    for warning in book.warnings():
        print(warning, file=sys.stderr)
    print(
        f"{len(book.pages)} chapters, {len(book.clauses)} clauses, "
        f"{len(book.terms)} terms: {given.target / 'index.html'}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
