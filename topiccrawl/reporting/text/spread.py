"""A story's spread as a tree of text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from topiccrawl.language import N_, _
from topiccrawl.reporting.markup import clean
from topiccrawl.reporting.scale import stated_moment

if TYPE_CHECKING:
    from topiccrawl.reporting.stories import Story

#: Reasons for the source of a copy, for people.
REASONS: Final = {
    "link": N_("links to it"),
    "source-line": N_("source line"),
    "credit": N_("credited in the text"),
    "dateline": N_("dateline"),
    "report": N_("reports it"),
    "text": N_("shares edits"),
    "time": N_("nothing but the time"),
}
#: Copies of one page that are listed one by one; of more, the first ones and their number.
MOST_LISTED: Final = 20


def tree_lines(story: Story, most: int = MOST_LISTED) -> Iterator[str]:
    """Yield the spread of *story* as lines: time, outlet, URL, confidence and reason.

    Of the copies of one page at most *most* are listed, those that were copied again first.
    """
    children = story.spread.children()
    roots = [node for node in story.spread.nodes if node not in story.spread.edges]
    # Iterative: a chain of copies can be as long as the story.
    stack = [(root, "", "", "") for root in reversed(roots)]
    while stack:
        at, lead, branch, below = stack.pop()
        if not at:
            yield lead + branch + below
            continue
        yield lead + branch + _line(story, at)
        copies = sorted(
            children.get(at, ()), key=lambda it: (it not in children, _time(story, it), it)
        )
        shown = sorted(copies[:most], key=lambda it: (_time(story, it), it))
        deeper = lead + below
        rest: list[tuple[str, str, str, str]] = []
        for place, node in enumerate(shown):
            last = place == len(shown) - 1 and len(copies) <= most
            rest.append((node, deeper, "└─ " if last else "├─ ", "   " if last else "│  "))
        if len(copies) > most:
            text = _("… and {count} more").format(count=len(copies) - most)
            rest.append(("", deeper, "└─ ", text))
        stack.extend(reversed(rest))


def _time(story: Story, node: str) -> float:
    return story.published(node).timestamp() if node in story.members else 0.0


def _line(story: Story, node: str) -> str:
    """Return the line of one node."""
    found = story.spread.nodes[node]
    edge = story.spread.edges.get(node)
    parts = []
    if found.page is None:
        parts.append(_("{outlet} (named, not fetched)").format(outlet=clean(found.name, 60)))
    else:
        published = found.page.published_at
        when = stated_moment(published) if published else _("no date")
        parts += [when, clean(found.name, 60), clean(node)]
    if node == story.spread.first:
        parts.append(_("first, {percent}").format(percent=_percent(story.spread.first_confidence)))
    if edge is not None:
        parts.append(f"[{_(REASONS[edge.reason])}, {_percent(edge.confidence)}]")
    return "  ".join(parts)


def _percent(value: float) -> str:
    return f"{100 * value:.0f}%"
