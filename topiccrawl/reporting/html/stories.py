"""The stories of a report: time line and spread of each; and the table of events.

Without a script: what is long is folded.  Of many copies of one page, those that were not taken further are
grouped by day, so that a story of 1,000 pages is a tree of some dozen lines.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from topiccrawl.reporting.html.parts import section, table
from topiccrawl.reporting.markup import Child, Html, anchor, clean, el, join
from topiccrawl.reporting.scale import china_day, days_shown, moment, number, percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from topiccrawl.reporting.stories import StoriesFound, Story
    from topiccrawl.reporting.words.labels import Words
    from topiccrawl.stories.events import Event

#: Bars of a time line.
_BARS: Final = 60
#: Copies of one page from which those without copies of their own are grouped by day.
_GROUPED_FROM: Final = 9
#: Copies of one page that others took it from, shown one by one: those with the most pages below them.
_BRANCHES: Final = 8
#: Levels of the tree that are open at first, in a story of at most so many pages and in a larger one; and
#: levels nested at all: a deeper copy stands on the last one.
_OPEN: Final = 3
_SMALL: Final = 60
_OPEN_IN_LARGE: Final = 1
_DEEPEST: Final = 12
#: Names of a kind in a cell of the table of events.
_NAMES: Final = 4


def stories_section(found: StoriesFound | None, words: Words) -> Html | None:
    """Return the stories with most copies, each with its time line and spread."""
    if found is None or not found.stories:
        return None
    note = words("stories-note", stories=number(found.count), copies=number(found.copies))
    heading = join(words("stories"), el("small", number(found.count), class_="badge"))
    stories = [_story(story, words) for story in found.stories]
    return section("stories", heading, el("p", note, class_="note"), stories, level=2)


def events_section(found: StoriesFound | None, words: Words) -> Html | None:
    """Return document 001's table of events: those of several stories."""
    if found is None or not found.events:
        return None
    columns = [
        ("event-number", "num"), ("event-name", ""), ("event-time", "days"), ("event-places", ""),
        ("event-people", ""), ("event-stories", "num"), ("event-copies", "num"),
    ]  # fmt: skip
    rows = [_event(event, found.urls) for event in found.events]
    return section("events", words("events"), table(words, columns, rows), level=2)


def _event(event: Event, urls: Mapping[str, str]) -> list[Child]:
    names = event.names
    people = [*names.persons[:_NAMES], *names.organizations[:_NAMES]]
    links = [
        el("li", anchor(urls[story], urls[story])) for story in event.stories[:50] if story in urls
    ]
    return [
        event.number,
        el("details", el("summary", el("bdi", clean(event.name, 120))), el("ul", links)),
        days_shown(event.when.days_text if event.when else ""),
        clean("、".join(names.places[:_NAMES]), 120) or "—",
        clean("、".join(people), 160) or "—",
        number(len(event.stories)),
        number(event.copies),
    ]


def _story(story: Story, words: Words) -> Html:
    copies = words("story-copies", n=number(len(story.members) - 1))
    root = story.spread.nodes[story.spread.root]
    return el(
        "details",
        el(
            "summary",
            el("bdi", clean(story.first.title, 160), class_="title"),
            " ",
            el("small", copies, " · ", el("bdi", clean(root.name, 40))),
        ),
        _time_line(story),
        _tree(story, words),
        class_="story",
    )


def _time_line(story: Story) -> Html:
    """Return bars with the number of pages over time, and its ends."""
    stated = [p.published_at for p in story.members.values() if p.published_at is not None]
    # Wrong clocks before the first publication would make the line long and empty.
    times = sorted(max(at, story.published(story.spread.first)) for at in stated)
    if len(times) < 2 or times[0] == times[-1]:
        return Html("")
    span = (times[-1] - times[0]).total_seconds()
    counts = Counter(
        min(int((at - times[0]).total_seconds() / span * _BARS), _BARS - 1) for at in times
    )
    most = max(counts.values())
    bars = [
        el(
            "i",
            style=f"height:{100 * counts[bar] / most:.0f}%",
            title=str(counts[bar]) if counts[bar] else None,
        )
        for bar in range(_BARS)
    ]
    ends = [el("span", moment(at)) for at in (times[0], times[-1])]
    return join(
        el("div", bars, class_="timeline", aria_hidden="true"),
        el("div", ends, class_="timeline-ends"),
    )


def _tree(story: Story, words: Words) -> Html:
    """Return the spread as nested lists, built from the leaves up."""
    children = story.spread.children()
    roots = [node for node in story.spread.nodes if node not in story.spread.edges]
    depth: dict[str, int] = {}
    order: list[str] = []
    stack = [(root, 0) for root in reversed(roots)]
    while stack:
        at, level = stack.pop()
        depth[at] = level
        order.append(at)
        stack.extend((child, level + 1) for child in reversed(children.get(at, ())))
    items: dict[str, Html] = {}
    sizes: dict[str, int] = {}
    open_levels = _OPEN if len(order) <= _SMALL else _OPEN_IN_LARGE
    for at in reversed(order):
        sizes[at] = 1 + sum(sizes[child] for child in children.get(at, ()))
        line = _line(story, at, words)
        below = children.get(at, ())
        if not below:
            items[at] = el("li", line)
            continue
        lists = el("ul", _grouped(story, below, sizes, items, words))
        if depth[at] >= _DEEPEST:
            items[at] = join(el("li", line), [items[child] for child in below])
        else:
            fold = el("details", el("summary", line), lists, open=depth[at] < open_levels)
            items[at] = el("li", fold)
    return el("ul", [items[root] for root in roots], class_="spread")


def _grouped(
    story: Story,
    below: Sequence[str],
    sizes: Mapping[str, int],
    items: Mapping[str, Html],
    words: Words,
) -> list[Html]:
    """Return the items of a page's copies: if many, the largest ones and the others by day."""
    if len(below) < _GROUPED_FROM:
        return [items[node] for node in below]
    largest = sorted(below, key=lambda node: (-sizes[node], node))[:_BRANCHES]
    single = {node for node in largest if sizes[node] > 1}
    leaves = [node for node in below if node not in single]
    days: dict[str, list[str]] = {}
    for node in leaves:
        days.setdefault(_day(story, node), []).append(node)
    shown = [items[node] for node in below if node in single]
    for day in sorted(days):
        heading = words("story-group", day=day or "—", n=number(sum(sizes[it] for it in days[day])))
        outlets = "、".join(
            dict.fromkeys(clean(story.spread.nodes[node].name, 20) for node in days[day][:6])
        )
        rows = [items[node] for node in days[day]]
        summary = el("summary", heading, " ", el("small", el("bdi", outlets)))
        shown.append(el("li", el("details", summary, el("ul", rows))))
    return shown


def _day(story: Story, node: str) -> str:
    page = story.members.get(node)
    if page is None or page.published_at is None:
        return ""
    return china_day(page.published_at).isoformat()


def _line(story: Story, node: str, words: Words) -> Html:
    found, edge = story.spread.nodes[node], story.spread.edges.get(node)
    page = story.members.get(node)
    parts: list[Child] = []
    if page is None:
        parts += [el("bdi", clean(found.name, 60)), " ", el("small", words("story-named"))]
    else:
        at = page.published_at
        when = moment(at) if at else words("story-no-date")
        parts += [el("time", when), " ", anchor(node, found.name)]
    if node == story.spread.first:
        share = percent(story.spread.first_confidence)
        parts += [" ", el("span", words("story-first"), " ", share, class_="first")]
    if edge is not None:
        why = [words(f"reason-{edge.reason}"), " ", percent(edge.confidence)]
        parts += [" ", el("span", why, class_="why")]
    return join(*parts)
