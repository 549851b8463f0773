"""The list of stored pages, with what the report's script needs to sort and filter all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from topiccrawl.reporting.aggregates.pages import PageRow, StoredPages
from topiccrawl.reporting.html.charts import days_chart
from topiccrawl.reporting.html.parts import empty_text, section
from topiccrawl.reporting.markup import Html, data_block, el, join
from topiccrawl.reporting.scale import number
from topiccrawl.reporting.words.labels import KINDS, Words

#: Pages that stand in the document itself, and that the script shows at a time.
SHOWN: Final = 20

#: Orders of the list, the first one when the report is opened.
ORDERS: Final = ("new", "best", "published")

#: A page with everything, of whose card the script makes the others.
_MODEL: Final = PageRow("http://x/", "x", "x", "x", "x", "x", "x", 0.0, 0.0, "x", ["x"], "x")


def pages_section(pages: StoredPages, today: str, words: Words) -> Html:
    """Return the list of stored pages: the first ones as markup, all of them as data."""
    heading = join(words("pages-list"), el("small", number(pages.count), class_="badge"))
    if not pages.count:
        return section("pages", heading, empty_text(words, "empty-pages"), level=2)
    shown = pages.listed[:SHOWN]
    part = None
    if len(pages.listed) < pages.count:
        part = words("listed-part", listed=number(len(pages.listed)), count=number(pages.count))
    fallback = el("noscript", el("p", words("no-script"), class_="note"))
    count = [el("b", len(shown), id="shown"), " / ", el("b", len(pages.listed), id="matching")]
    rows = [page_data(row) for row in pages.listed]
    return section(
        "pages",
        heading,
        el("p", part, class_="note") if part else None,
        _controls(words),
        el("ol", _items(shown, today, words), class_="pages", id="list"),
        el("p", words("showing"), " ", count, class_="note", role="status"),
        fallback if len(shown) < len(pages.listed) else None,
        el("button", words("more"), type="button", id="more", hidden=True),
        el(
            "template",
            _day("x", "x", words),
            _day("x", "", words),
            _card(_MODEL, words),
            id="models",
        ),
        el("template", [el("i", words.kind(kind), data_kind=kind) for kind in KINDS], id="kinds"),
        data_block("pages-data", {"today": today, "step": SHOWN, "rows": rows}),
        level=2,
    )


def summary_sections(pages: StoredPages, words: Words) -> Html | None:
    """Return the drawing of pages per day and the most frequent keywords, side by side."""
    if not pages.days:
        return None
    days = section("days", words("days"), el("figure", days_chart(pages.days, words)), level=2)
    found = [
        el("li", _button(el("bdi", word), el("small", number(count)), value=word))
        for word, count in pages.keywords
    ]
    keywords = section(
        "keywords",
        words("keywords"),
        el("ul", found, class_="chips") if found else empty_text(words, "empty-keywords"),
        level=2,
    )
    return el("div", days, keywords, class_="columns")


def _button(*children: Html, value: str) -> Html:
    return el("button", *children, type="button", value=value, class_="chip", disabled=True)


def _controls(words: Words) -> Html:
    """Return the filter and the switch of orders, which appear when the script runs."""
    orders = [
        el(
            "label",
            el("input", type="radio", name="order", value=order, checked=order == ORDERS[0]),
            el("span", words(f"order-{order}")),
        )
        for order in ORDERS
    ]
    return el(
        "div",
        el("fieldset", el("legend", words("order")), orders, class_="orders"),
        el(
            "label",
            words("filter"),
            " ",
            el("input", type="search", id="filter", autocomplete="off", spellcheck="false"),
        ),
        id="controls",
        hidden=True,
    )


def _items(rows: Iterable[PageRow], today: str, words: Words) -> list[Html]:
    """Return the cards of *rows*, with a heading before the first one of each day."""
    items: list[Html] = []
    day = ""
    for row in rows:
        if row.stored != day:
            day = row.stored
            items.append(_day(day, today, words))
        items.append(_card(row, words))
    return items


def _day(day: str, today: str, words: Words) -> Html:
    label = [" ", words("today")] if day == today else None
    return el("li", el("h3", el("time", day), label), class_="day")


def _card(row: PageRow, words: Words) -> Html:
    link = {"href": row.url or None, "rel": "noopener noreferrer nofollow"}
    facts = [
        el("span", el("bdi", row.site), class_="site") if row.site else None,
        el("span", el("bdi", row.source), class_="source") if row.source else None,
        el("span", words.kind(row.kind), class_="kind") if row.kind else None,
        el("time", row.published, class_="published") if row.published else None,
        el("span", words("gone"), " ", el("b", row.gone), class_="gone") if row.gone else None,
        _measure("probability", row.probability, words) if row.probability is not None else None,
        _measure("relevance", row.relevance, words),
    ]
    chips = [el("bdi", word, class_="chip") for word in row.keywords]
    return el(
        "li",
        el("a", el("bdi", row.title), class_="title", **link),
        el("div", facts, class_="facts"),
        el("p", el("bdi", row.summary), class_="digest") if row.summary else None,
        el("div", chips, class_="chips") if chips else None,
    )


def _measure(name: str, value: float, words: Words) -> Html:
    return el("span", words(name), " ", el("b", f"{value:.3f}"), class_=name)


def page_data(row: PageRow) -> list[object]:
    """Return *row* as the script reads it, by position."""
    probability = None if row.probability is None else round(row.probability, 3)
    texts = [row.url, row.title, row.site, row.source, row.kind, row.stored, row.published]
    return [*texts, round(row.relevance, 3), probability, row.summary, row.keywords, row.gone]
