"""Bounds on what the parser gets: ordinary pages pass unchanged, no tag has very many attributes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from benchmarks.extraction_pages import own
from topiccrawl.page.bounds import MAX_ATTRIBUTES, MAX_TAGS, bounded
from topiccrawl.page.page import Page
from topiccrawl.page.tree import parse

MANY = MAX_ATTRIBUTES * 3


def most_attributes(text: str) -> int:
    return max(len(element.attrib) for element in parse(text).iter())


def attributes(form: str, count: int = MANY) -> str:
    return "".join(form.format(i) for i in range(count))


@pytest.mark.parametrize(
    "form",
    [
        " a{}=1", " a{}", "/a{}/", "\na{}\n=\n'x'", " a{}=\"\"", "'a{}'", "a{}=\">\" ", " a{}='<b>'",
        " a{}=<", " <a{}", " =a{}", " a{}==\">\"", " a{}=b=\">\"", " a{}=\"<p c='\"",
    ],
)  # fmt: skip
def test_the_attributes_of_a_tag_are_cut_after_the_last_one_allowed(form: str) -> None:
    text = f"<html><body><div {attributes(form)}>侨</div><p>乡</p></body></html>"
    assert 1 <= most_attributes(text) <= MAX_ATTRIBUTES
    page = Page("", text.encode())
    assert "侨" in page.visible_text
    assert "乡" in page.visible_text


@pytest.mark.parametrize(
    "before",
    [
        "<p a=b=\"x>", "<!-- <a x=\" -->", "<script>'<a x=\"'</script>", "<p a==\"x>", "<p \"=\"x>",
        "<title><a x=\"</title>", "<p a=\"1\"=\"x>", "<style><a x='</style>", "<p x='\"><a b=\"'>", "< a=\"",
        "<p x=<a y=\">", "<p/x/=\"y>",
    ],
)  # fmt: skip
def test_faulty_markup_before_a_tag_does_not_hide_its_attributes(before: str) -> None:
    """The tags after it look quoted to a reader who takes its quotation mark for an opening one."""
    for form in (' a{}=">"', " a{}='>'"):
        text = f'<html><body>{before}<div c=">"{attributes(form)}>侨</div>'
        assert most_attributes(text) <= MAX_ATTRIBUTES


def test_the_end_of_a_script_survives_the_cut() -> None:
    words = attributes(" w{}")
    text = f"<script>for (i=0;i<n;i++) {{{words}}}</script><p>侨</p><!-- <b {words} --><p>乡</p>"
    assert Page("", text.encode()).visible_text.split() == ["侨", "乡"]


def test_tags_after_the_last_one_allowed_are_dropped_and_their_text_stays() -> None:
    text = "<p>侨" * (MAX_TAGS + 10)
    assert bounded(text).count("<p>") == MAX_TAGS
    assert bounded(text).count("侨") == MAX_TAGS + 10
    assert bounded("<<" * MAX_TAGS) == "<<" * MAX_TAGS


def test_of_dropped_scripts_and_comments_no_text_is_left() -> None:
    hidden = "<script>if (a<b) x</script><STYLE>x</STYLE><!-- <b>x</b> -->"
    page = Page("", ("<b>" * MAX_TAGS + f"<p>侨{hidden}乡<br/>情").encode())
    assert "".join(page.visible_text.split()) == "侨乡情"


@pytest.mark.parametrize("start", ["<script>", "<style>", "<!-- "])
def test_what_the_last_tags_allowed_began_still_ends(start: str) -> None:
    end = start.replace("<", "</").replace("</!-- ", "-->")
    page = Page("", ("<b>" * (MAX_TAGS - 1) + f"{start}<b><b>{end}<p>侨</p>").encode())
    assert page.visible_text.split() == ["侨"]


def test_tags_with_long_values_pass_unchanged() -> None:
    image = "QUJD" * 50_000
    text = f"<img src='data:image/png;base64,{image}' alt=侨><svg title=\"a > b {image}\">乡</svg>"
    assert bounded(text) is text


@pytest.mark.parametrize("page", own(), ids=lambda page: page.expected.id)
def test_pages_of_the_own_corpus_pass_unchanged(page: object) -> None:
    text = Page("", page.data).text  # type: ignore[attr-defined]
    assert bounded(text) is text


@given(
    st.lists(
        st.sampled_from(
            ["<a", "<p ", " x=", "=", '"', "'", ">", "<", "/", " ", "b", "侨", "<!--", "-->", "\n",
             "<script>", "</script>", "=\"", "='", "\">", "</p>"]
        )
    )
)  # fmt: skip
def test_short_texts_pass_unchanged_whatever_they_are(parts: list[str]) -> None:
    text = "".join(parts)
    assert bounded(text) is text


@given(
    st.lists(
        st.sampled_from(["<a ", '<p b=c="', "'", '"', ">", "<!--", "-->", "=", "<script>", " x "]),
        max_size=12,
    ),
    st.sampled_from(['="', "='", "=", '"', "'", ">"]),
)
def test_no_text_gives_an_element_more_attributes_than_allowed(
    before: list[str], between: str
) -> None:
    text = "".join(before) + "<div " + attributes(f" a{{}}{between}>", MAX_ATTRIBUTES + 100)
    assert most_attributes(text) <= MAX_ATTRIBUTES


def test_the_parser_reads_all_attributes_without_the_bound() -> None:
    """The attack is real: nothing in lxml limits them."""
    text = f"<p{attributes(' a{}')}>"
    assert len(etree.fromstring(text, etree.HTMLParser()).find(".//p").attrib) == MANY
