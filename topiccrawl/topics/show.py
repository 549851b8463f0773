"""Tables and trees of topics for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.markup import escape
from rich.table import Table
from rich.tree import Tree

from topiccrawl.language import N_, _, bracketed, listed
from topiccrawl.topics.definition import RELATIONS, Keyword, TopicDefinition
from topiccrawl.topics.learn import THRESHOLD_RANGE
from topiccrawl.topics.load import BARE_WORD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import RenderableType

    from topiccrawl.topics.classification import Category, Classification
    from topiccrawl.topics.topic import Topic

#: What keywords are to their topic, and words that are not on it, in the user's language.
_RELATIONS: Final = {
    "core": N_("core"),
    "synonym": N_("synonym"),
    "near": N_("near"),
    "hyponym": N_("hyponym"),
    "hypernym": N_("hypernym"),
    "entity": N_("entity"),
    "related": N_("related"),
    "negative": N_("negative"),
}
#: Number of learned terms shown for a topic.
TOP_TERMS = 30


def relation_name(relation: str) -> str:
    """Return the key of topic.toml for a *relation*, after its name in the user's language.

    >>> relation_name("core")
    'core'
    """
    name = _(_RELATIONS[relation])
    return relation if name == relation else f"{name} {relation}"


def topics_table(definitions: Iterable[TopicDefinition], classification: Classification) -> Table:
    """Return a table with one row per topic: names, classes, and the size of its definition."""
    table = Table(title=_("Topics"))
    for head in (_("Name"), _("Aliases"), _("Class")):
        table.add_column(head, overflow="fold")
    for head in (_("Keywords"), _("Samples"), _("Seeds")):
        table.add_column(head, justify="right")
    for d in definitions:
        table.add_row(
            escape(d.name),
            escape(listed(d.aliases)),
            "\n".join(_classes(d.classification, classification)),
            str(len(d.keywords)),
            str(len(d.samples)),
            str(len(d.seeds)),
        )
    return table


def _classes(codes: Iterable[str], classification: Classification) -> list[str]:
    """Return the classes in the tree to which codes belong, each once."""
    near = filter(None, map(classification.nearest, codes))
    return list(dict.fromkeys(f"{c.code} {c.name}" for c in near))


def class_names(codes: Iterable[str], classification: Classification) -> list[str]:
    """Return "code name" for each code; a code that is not in the tree has the name of its class."""
    names = []
    for code in codes:
        near = classification.nearest(code)
        name = near.name if near else ""
        names.append(f"{code} {name}" if near and near.code == code else f"{code} < {name}")
    return names


def classification_tree(
    classification: Classification,
    definitions: Iterable[TopicDefinition],
    code: str | None = None,
) -> Tree:
    """Return the classification as a tree with the topics in their classes.

    Parameters
    ----------
    definitions
        The topics.
    code
        Class whose branch is returned, ``None`` for the whole tree.  The whole tree shows second-level
        classes only if they have a topic; a branch shows all of them.
    """
    topics: dict[str, list[str]] = {}
    for definition in definitions:
        codes: dict[str, list[str]] = {}
        for own in definition.classification:
            if near := classification.nearest(own):
                codes.setdefault(near.code, []).append(own)
        for near_code, inside in codes.items():
            label = definition.name + bracketed(listed(inside))
            topics.setdefault(near_code, []).append(label)
    start = classification.nearest(code) if code else None
    tree = Tree(_label(start) if start else "中国图书馆分类法")
    if start:
        _add_topics(tree, topics.get(start.code, []))
    for category in classification.children(start.code if start else None):
        branch = tree.add(_label(category))
        _add_topics(branch, topics.get(category.code, []))
        for child in classification.children(category.code):
            if child.code in topics:
                _add_topics(branch.add(_label(child)), topics[child.code])
    return tree


def _label(category: Category) -> str:
    label = f"{category.code} {category.name}"
    return f"[dim]\\[{escape(label)}][/dim]" if category.alternative else escape(label)


def _add_topics(branch: Tree, names: Iterable[str]) -> None:
    for name in names:
        branch.add(f"[bold green]● {escape(name)}[/]")


def topic_parts(topic: Topic, classification: Classification) -> Iterator[RenderableType]:
    """Yield the parts of the description of one topic: head, description, table."""
    d = topic.definition
    yield f"[bold]{escape(d.name)}[/]  {escape(listed(d.aliases))}"
    if d.description:
        yield escape(d.description)
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="cyan")
    table.add_column(overflow="fold")
    rows = {
        _("source"): _("a word without a folder") if d.source == BARE_WORD else d.source,
        _("language"): d.language,
        _("class"): "\n".join(class_names(d.classification, classification)),
        _("relevance threshold"): f"{topic.threshold:.3f}{bracketed(_origin(topic))}",
        _("link threshold"): f"{d.thresholds.link:g}",
        _("limits"): _("pages {pages}, depth {depth}").format(
            pages=d.limits.max_pages or "-", depth=d.limits.max_depth or "-"
        ),
        "allow": " ".join(d.allow),
        "deny": " ".join(d.deny),
        "browser": " ".join([*(s.url for s in d.seeds if s.browser), *d.browser]),
        _("samples"): _("{count}, {characters} characters").format(
            count=len(d.samples), characters=sum(len(s.text) for s in d.samples)
        ),
        _("queries"): "\n".join(d.queries),
    }
    for relation in RELATIONS:
        rows[relation_name(relation)] = _graded(k for k in d.keywords if k.relation == relation)
    rows[_("negative")] = _graded(d.negatives)
    rows[_("url tokens")] = listed(f"{t} {v:g}" for t, v in d.url_tokens.items())
    rows[_("seeds")] = "\n".join(f"{s.url}  {s.name}".rstrip() for s in d.seeds)
    top = topic.vector.top(TOP_TERMS)
    rows[_("learned terms")] = listed(f"{topic.surface(t)} {w:.2f}" for t, w in top)
    for head, value in rows.items():
        if value:
            table.add_row(escape(head), escape(value))
    yield table


def _origin(topic: Topic) -> str:
    if topic.definition.thresholds.relevance is not None:
        return _("given")
    low, high = THRESHOLD_RANGE
    learned = _("learned, within {low:g} to {high:g}").format(low=low, high=high)
    return learned if topic.definition.samples else _("from the number of keywords")


def _graded(keywords: Iterable[Keyword]) -> str:
    return listed(f"{k.term} {k.value:g}" for k in keywords)
