"""A briefing as one HTML file to print: no script, nothing is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from topiccrawl.briefing.links import href
from topiccrawl.briefing.wording import LINE, Wording
from topiccrawl.reporting.markup import Html, clean, el, join

if TYPE_CHECKING:
    from topiccrawl.briefing.model import Briefing, Entry, Section
    from topiccrawl.language import Language

#: Nothing but the styles below is allowed, as a second defense besides escaping.
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
#: Fonts that Windows, macOS and Linux have for Chinese, after those for Latin letters.
_STYLE: Final = """
:root { color-scheme: light dark; --text: #1b1b1b; --dim: #595959; --line: #c8102e; --faint: #a8a8a8; --page: #fff; }
@media screen and (prefers-color-scheme: dark) {
  :root { --text: #ececec; --dim: #b0b0b0; --line: #ff8a8a; --faint: #6a6a6a; --page: #161616; }
}
@page { size: A4; margin: 22mm 20mm; }
body { margin: 0 auto; max-width: 42rem; padding: 1rem; background: var(--page); color: var(--text);
  font: 1rem/1.75 "Times New Roman", "FangSong", "STFangsong", "Songti SC", "SimSun", "Noto Serif CJK SC", serif;
  overflow-wrap: anywhere; }
h1, h2, h3 { font-family: "Arial", "SimHei", "Heiti SC", "Noto Sans CJK SC", sans-serif; line-height: 1.4; }
h1 { text-align: center; font-size: 1.7rem; margin-bottom: .3rem; }
.period { text-align: center; border-bottom: 2px solid var(--line); padding-bottom: .7rem; }
.period, .source, .also, footer { color: var(--dim); font-size: .875rem; }
h2 { font-size: 1.2rem; margin: 1.6rem 0 .4rem; }
h3 { font-size: 1.05rem; margin: 1.2rem 0 .2rem; break-after: avoid; }
p { margin: .3rem 0; }
p, li { break-inside: avoid; }
.source { break-before: avoid; }
.also { padding-left: 1.2rem; margin: .3rem 0; }
a { color: inherit; text-decoration: underline dotted var(--faint); text-underline-offset: .2em; }
h3 a { text-decoration: none; }
footer { border-top: 1px solid currentColor; margin-top: 2rem; padding-top: .5rem; }
@media print { body { max-width: none; padding: 0; } a { text-decoration: none; } }
"""


def html(briefing: Briefing, language: Language) -> str:
    """Return *briefing* as an HTML document."""
    words = Wording(language)
    title = words.title(briefing)
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="referrer", content="no-referrer"),
        el("meta", name="robots", content="noindex"),
        el("title", title),
        el("style", Html(_STYLE)),
    )
    number = 0
    sections = []
    for section in briefing.sections:
        if section.entries:
            sections.append(_section(section, number, words))
            number += len(section.entries)
    body = el(
        "body",
        el("h1", el("bdi", title)),
        el("p", words.period(briefing), class_="period"),
        el("main", sections or el("p", words.nothing())),
        el("footer", el("p", words.ending(briefing))),
    )
    lang = "zh-CN" if language == "zh" else "en"
    return f"<!DOCTYPE html>\n{el('html', head, body, lang=lang)}\n"


def _section(section: Section, before: int, words: Wording) -> Html:
    entries = [_entry(before + at, entry, words) for at, entry in enumerate(section.entries, 1)]
    return el("section", el("h2", words.heading(section)), entries)


def _entry(number: int, entry: Entry, words: Wording) -> Html:
    gap = "" if words.language == "zh" else " "
    sentences = [join(link(clean(it.text, LINE), it.url), gap) for it in entry.sentences]
    lines = []
    if (first := words.first_line(entry)) and entry.first is not None:
        lines.append(el("li", link(first, entry.first.url)))
    lines += [el("li", words.see_also(), link(words.also(it), it.url)) for it in entry.also]
    return el(
        "article",
        el("h3", f"{number}. ", link(words.entry_title(entry), entry.url)),
        el("p", sentences) if sentences else None,
        el("p", words.source_line(entry), class_="source"),
        el("ul", lines, class_="also") if lines else None,
    )


def link(text: str, url: str) -> Html:
    """Return a link, or the text alone if *url* must not become one."""
    shown = el("bdi", text or "—")
    target = href(url)
    if target is None:
        return el("span", shown)
    return el("a", shown, href=target, rel="noopener noreferrer nofollow")
