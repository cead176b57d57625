"""Setting text on paper: nothing is lost, nothing runs out of its column, whatever is written in it."""

import unicodedata
from io import BytesIO

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pypdf import PdfReader

from jackpot.http.pdf.fonts import BOLD, MONO, REGULAR, printable, width_of
from jackpot.http.pdf.paper import MARGIN, Paper, Running
from jackpot.http.pdf.setting import lines_of
from jackpot.http.pdf.tables import Column, table

HOSTILE = [
    "<b>bold</b>&amp;<script>alert(1)</script>", "=HYPERLINK(1)", "x" * 500, "P-\u202e71", "a\u0301" * 40, "\x00\x07",
    "שלום", "中文", "\U0001f0a1", "A♠ 10♥ K♦ 2♣", "Łukasz Żółć", "Ωμέγα", "Ётта", "", "   ", "\n\n", "]" * 90,
]  # fmt: skip
RUNNING = Running(left="What it is", right="of whom", foot="Made by ann")
TEXT = st.text(st.characters(codec="utf-8"), max_size=200)


def pages_of(made: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(BytesIO(made)).pages]


def squeezed(text: str) -> str:
    return "".join(text.split())


@given(TEXT, st.sampled_from([REGULAR, BOLD, MONO]), st.floats(20, 300))
@example("one two", REGULAR, 20.0)
def test_lines_hold_all_of_a_text_and_are_no_wider_than_their_column(text: str, font: str, width: float) -> None:
    lines = lines_of(text, font, 7, width)
    assert squeezed("".join(lines)) == squeezed(printable(text))
    assert [line for line in lines if len(line) > 1 and width_of(line, font, 7) > width + 0.01] == []


@given(TEXT)
def test_what_is_set_has_glyphs_and_no_hidden_character(text: str) -> None:
    for char in printable(text):
        assert char == "\n" or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn"}
        assert unicodedata.bidirectional(char) not in {"R", "AL", "RLO", "RLE"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [("P-\u202e71", "P-[U+202E]71"), ("א", "[U+05D0]"), ("中", "[U+4E2D]"), ("\x07", "[U+0007]"), ("é", "é"),
     ("A♠K♥", "A♠K♥"), ("two\nlines", "two\nlines")],
)  # fmt: skip
def test_what_cannot_be_set_is_shown_by_its_code_point(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_hostile_text_is_in_the_table_as_it_was_written() -> None:
    paper = Paper(RUNNING, title="hostile")
    table(paper, [Column("Player")], [[text] for text in HOSTILE])
    read = squeezed("".join(pages_of(paper.finish())))
    for text in HOSTILE:
        assert squeezed(printable(text)) in read, text


def test_pages_are_numbered_and_a_tables_head_is_on_each() -> None:
    paper = Paper(RUNNING, title="long")
    table(paper, [Column("Seq", right=True), Column("What")], [[str(n), f"row {n}"] for n in range(300)],
          total=["300", "Total"])  # fmt: skip
    pages = pages_of(paper.finish())
    assert len(pages) > 3
    for n, page in enumerate(pages, start=1):
        assert f"Page {n} of" in page and "Seq" in page and "Made by ann" in page and "What it is" in page
        assert page.rstrip().endswith(str(len(pages))) or f"\n{len(pages)}" in page
    rows = [line for page in pages for line in page.splitlines() if "row " in line]
    assert [int(line.rpartition("row ")[2]) for line in rows] == list(range(300))


def test_a_row_higher_than_a_page_goes_on_on_the_next() -> None:
    paper = Paper(RUNNING, title="high")
    words = [f"w{n}" for n in range(3_000)]
    table(paper, [Column("Note"), Column("Other")], [[" ".join(words), "x " * 4_000]])
    pages = pages_of(paper.finish())
    assert len(pages) > 1
    assert set(words) <= set(" ".join(pages).split())


def test_columns_that_do_not_fit_stand_in_groups_after_their_keys() -> None:
    paper = Paper(RUNNING, title="wide", wide=True)
    names = [f"amount {n}" for n in range(40)]
    columns = [Column("Pot"), *(Column(name, right=True) for name in names)]
    table(paper, columns, [["meter", *(f"{n}000000.00000000" for n in range(40))]], keys=1)
    (page,) = pages_of(paper.finish())
    assert "columns 1 of" in page
    assert page.count("meter") == page.count("Pot") > 2
    assert all(f"{n}000000.00000000" in page for n in range(40))


@given(st.lists(st.tuples(TEXT, st.integers(0, 10**18)), max_size=8), st.integers(1, 12))
def test_nothing_stands_outside_the_margins(rows: list[tuple[str, int]], columns: int) -> None:
    """Whatever is in them, columns lie beside one another inside the page."""
    paper = Paper(RUNNING, title="any")
    placed: list[tuple[float, float]] = []
    put = paper.put

    def noted(x: float, y: float, text: str, font: str = REGULAR, size: float = 9, *rest: object) -> None:
        placed.append((x, x + width_of(text, font, size)))
        put(x, y, text, font, size)

    paper.put = noted  # type: ignore[assignment, method-assign]
    kinds = [Column(f"c {n}", right=n % 2 == 1) for n in range(columns)]
    table(paper, kinds, [[str(row[n % 2]) for n in range(columns)] for row in rows])
    assert all(left >= MARGIN - 1 and right <= MARGIN + paper.width + 1 for left, right in placed)


def test_the_same_is_set_as_the_same_bytes() -> None:
    def made() -> bytes:
        paper = Paper(RUNNING, title="same")
        paper.heading("Heading")
        paper.pairs([("Name", "value " * 60)])
        return paper.finish()

    assert made() == made()
