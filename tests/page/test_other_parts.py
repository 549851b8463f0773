"""Parts behind a text that are other pages."""

from __future__ import annotations

import numpy as np

from topiccrawl.page.body.features import features_of
from topiccrawl.page.body.model import body_model
from topiccrawl.page.body.other_parts import (
    FEATURES,
    parts_of,
    without_next_articles,
    without_other_parts,
)
from topiccrawl.page.learned import Logistic
from topiccrawl.page.page import Page

TITLE = "Town votes to keep its tiny library open"
TEXT = (
    "Residents of a fishing town voted by a margin of three to one on Tuesday to keep a one-room library that"
    " the county had planned to close."
)
OTHERS = {
    "Owls return to a burned forest sooner than expected": (
        "Seven years after a wildfire destroyed most of the trees in the valley, biologists have recorded a pair of"
        " spotted owls nesting in a stand of surviving pines.",
        "The birds were first heard in April by a graduate student who had placed microphones in the forest to"
        " record bats.",
    ),
    "A city of hills gives its old trams one more decade": (
        "The transport authority will rebuild forty wooden trams instead of replacing them, after engineers found"
        " that the new models could not climb the steepest line.",
        "The decision ends a debate that has lasted longer than the tender itself, which was opened in 2016 and"
        " extended three times.",
    ),
}


def page(text: str = TEXT) -> Page:
    others = "".join(
        f'<div class="story"><h2><a href="/{number}">{title}</a></h2><div class="meta">2019-10-01</div>'
        f'<div class="txt">{"".join(f"<p>{it}</p>" for it in texts)}</div></div>'
        for number, (title, texts) in enumerate(OTHERS.items())
    )
    html = (
        f'<title>{TITLE} | Harbor Post</title><body><header><a href="/">Harbor Post</a></header>'
        f'<div class="story"><h1>{TITLE}</h1><div class="meta">2019-10-02</div>'
        f'<div class="txt"><p>{text}</p></div></div><div class="river">{others}</div>'
    )
    return Page("https://www.example.com/2019/10/02/library", html.encode(), "utf-8")


def selected(page: Page) -> tuple[list[str], np.ndarray, list[int]]:
    """Return the tags, a selection of all paragraphs, and the numbers of the first one and the others."""
    paragraphs = [i for i, text in enumerate(page.blocks.texts) if text.endswith(".")]
    body = np.zeros(len(page.blocks), bool)
    body[paragraphs] = True
    return page.outline.boxes.tags, body, paragraphs


def test_a_short_text_above_larger_teasers() -> None:
    assert page().body == TEXT


def test_a_part_is_all_paragraphs_of_the_other_pages() -> None:
    seen = page()
    tags, body, paragraphs = selected(seen)
    features = features_of(seen.outline, seen.blocks, seen.stated_title, seen.url)
    parts = parts_of(tags, seen.blocks, features, body, np.where(body, 0.9, 0.0))
    assert parts is not None
    assert np.flatnonzero(parts.numbers == 0).tolist() == paragraphs[1:]
    assert set(parts.numbers.tolist()) == {-1, 0}
    row = dict(zip(FEATURES, parts.matrix[0].tolist(), strict=True))
    assert row["runs"] == np.log(2)
    assert (row["headed"], row["linked"], row["dated"]) == (1, 1, 1)
    assert row["terms of text"] > row["terms"]


def test_the_model_decides_whether_a_part_stays() -> None:
    seen = page()
    tags, body, paragraphs = selected(seen)
    features = features_of(seen.outline, seen.blocks, seen.stated_title, seen.url)
    p = np.where(body, 0.9, 0.0)
    for bias, left in ((-9.0, paragraphs[:1]), (9.0, paragraphs)):
        model = Logistic(np.zeros(len(FEATURES)), bias)
        found = without_other_parts(tags, seen.blocks, features, body, p, model)
        assert np.flatnonzero(found).tolist() == left


def test_what_is_no_sentence_or_no_selection_has_no_parts() -> None:
    seen = page("A label without an end")
    tags, body, _ = selected(seen)
    body[seen.blocks.texts.index("A label without an end")] = True
    features = features_of(seen.outline, seen.blocks, seen.stated_title, seen.url)
    assert parts_of(tags, seen.blocks, features, body, np.where(body, 0.9, 0.0)) is None
    assert parts_of(tags, seen.blocks, features, np.zeros_like(body), np.zeros(len(body))) is None


def test_a_list_inside_the_container_of_the_text_is_no_other_part() -> None:
    points = "".join(f"<li>{it}</li>" for texts in OTHERS.values() for it in texts)
    html = f"<title>{TITLE}</title><body><h1>{TITLE}</h1><div><p>{TEXT}</p><ul>{points}</ul></div>"
    seen = Page("https://www.example.com/library", html.encode(), "utf-8")
    tags, body, _ = selected(seen)
    features = features_of(seen.outline, seen.blocks, seen.stated_title, seen.url)
    assert parts_of(tags, seen.blocks, features, body, np.where(body, 0.9, 0.0)) is None


def test_the_model_of_parts_has_a_weight_for_each_feature() -> None:
    parts = body_model().parts
    assert parts is not None
    assert parts.weights.shape == (len(FEATURES),)


def series(tag: str, *, boxed: bool) -> Page:
    """Return a page of an article and others, each with a heading of one sort, in boxes or in one box."""
    articles = {TITLE: (TEXT,), **OTHERS}
    wrapped = [
        f"<{tag}>{title}</{tag}>{''.join(f'<p>{it}</p>' for it in texts)}"
        for title, texts in articles.items()
    ]
    inside = "".join(f'<div class="post">{it}</div>' if boxed else it for it in wrapped)
    html = f"<title>{TITLE}</title><body><main>{inside}</main>"
    return Page("https://www.example.com/2019/10/02/library", html.encode(), "utf-8")


def test_the_next_article_begins_with_a_heading_like_the_title_in_another_box() -> None:
    for seen, left in ((series("h2", boxed=True), 1), (series("h2", boxed=False), 5)):
        tags, body, paragraphs = selected(seen)
        features = features_of(seen.outline, seen.blocks, seen.stated_title, seen.url)
        found = without_next_articles(tags, seen.blocks, features, body)
        assert np.flatnonzero(found).tolist() == paragraphs[:left]


def test_an_article_below_its_title_and_nothing_else_is_whole() -> None:
    seen = series("p", boxed=True)
    tags, body, paragraphs = selected(seen)
    features = features_of(seen.outline, seen.blocks, seen.stated_title, seen.url)
    found = without_next_articles(tags, seen.blocks, features, body)
    assert np.flatnonzero(found).tolist() == paragraphs
