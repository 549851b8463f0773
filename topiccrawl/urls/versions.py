"""Versions of pages on one site: for printing, for phones, with other addresses.

A rule leads from the addresses of one template to those of another: ``/n/{0}_m.html`` to ``/n/{0}.html``,
``/print.asp?id={0}`` to ``/show.asp?id={0}``.  No list contains them; they are found where two pages of a
domain have one text, and the first of them states or looks as if it were a version of the second.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from topiccrawl.bounded import BoundedDict
from topiccrawl.urls.content import GONE, PageContent
from topiccrawl.urls.evidence import EVEN, LIKELY, SequentialTest
from topiccrawl.urls.families import VARIABLE
from topiccrawl.urls.identity import link_id
from topiccrawl.urls.mirrors import AUDIT, domain_of, is_device, split_origin

#: Pages whose text is remembered, the last ones seen: about 300 bytes each (a choice).
_PAGES: Final = 20_000
#: Addresses of one text that are remembered (a choice).
_SAME_TEXT: Final = 4
#: Rules that are tested, the last ones compared; and those from one template (choices).
_RULES: Final = 5_000
_RULES_OF_TEMPLATE: Final = 8
#: Numbers of an address, at most, that rules are looked for in (a choice: a date and two ids).
_VALUES: Final = 8
#: What the address of a version contains.
_HINT: Final = re.compile(
    r"(?<![a-z])(?:(?:is|to)?print(?:able|page|view|er|friendly)?|dayin|wap|mobile|mob|m|3g|amp|touch|h5)"
    r"(?![a-z])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Rule:
    """From the addresses of one template to those of another."""

    source: str
    target: str
    places: tuple[int, ...]
    """For each value of the target, the position of the source's value."""
    fixed: tuple[tuple[int, str], ...]
    """The other values of the source, which the rule demands: ``print=1``, ``page=1``."""

    def target_of(self, values: tuple[str, ...]) -> str | None:
        """Return the target for a source with *values*, ``None`` if the rule does not apply."""
        if any(values[at] != value for at, value in self.fixed):
            return None
        return _filled(self.target, [values[at] for at in self.places])

    def source_of(self, values: tuple[str, ...]) -> str:
        """Return the source of a target with *values*."""
        found = dict(self.fixed) | dict(zip(self.places, values, strict=True))
        return _filled(self.source, [found[at] for at in range(len(found))])


class VersionLearner:
    """Learns which addresses of a domain lead to versions of pages; bounded and deterministic.

    A rule is accepted by the sequential test of :mod:`topiccrawl.urls.evidence`, with a high prior if a page
    states it (``rel=canonical``, ``rel=alternate`` for phones, ``rel=amphtml``, ``mobile-agent``): three
    equal texts.  Otherwise the address of the version must have a word for it (``print``, ``wap``), and
    seven are needed.  What a page states counts for nothing else, since pages may lie.
    """

    def __init__(self) -> None:
        self._contents: BoundedDict[int, PageContent] = BoundedDict(_PAGES)
        self._addresses: BoundedDict[int, list[str]] = BoundedDict(_PAGES)
        self._tests: OrderedDict[_Rule, SequentialTest] = OrderedDict()
        self._from: dict[str, dict[_Rule, None]] = {}
        self._to: dict[str, dict[_Rule, None]] = {}
        self.learned = 0
        """Rules that were accepted, revoked ones included; grows only."""

    def observe(
        self, url: str, content: PageContent, *, canonical: str = "", versions: Iterable[str] = ()
    ) -> list[tuple[str, str, bool]]:
        """Learn from a page; return the rules whose verdict changed: source, target, accepted.

        *url* is canonical; *content* is :data:`~topiccrawl.urls.content.GONE` if the server does not have the
        page.  *canonical* is the form of the address that it states for itself, if it is another one,
        *versions* are those for versions of it.
        """
        if content != GONE and not content.has_body:
            return []
        for source, target in [(url, canonical), *((it, url) for it in versions)]:
            if source and target and (rule := _rule(source, target)):
                self._add(rule, LIKELY)
        key = link_id(url)
        if self._contents.get(key) == content:
            return []
        self._contents[key] = content
        if content != GONE:
            self._find(url, content)
        template, values = template_of(url)
        changed = []
        for rule, other in self._counterparts(template, values):
            its = self._contents.get(link_id(other))
            if its is None or its == content == GONE:
                continue
            test = self._tests[rule]
            self._tests.move_to_end(rule)
            gist = content.gist
            if test.equal(gist) if its.hash == content.hash else test.different():
                self.learned += test.accepted
                changed.append((rule.source, rule.target, test.accepted))
        return changed

    def preferred(self, url: str) -> str:
        """Return *url*, or the address of the page that it is a version of."""
        found = self._target(url)
        return url if found is None else found

    def fetched(self, url: str) -> str | None:
        """Return the address of the page that *url* is a version of, if it was fetched."""
        target = self._target(url)
        if target is None or link_id(url) in self._contents:
            return None
        content = self._contents.get(link_id(target))
        return None if content is None or content == GONE else target

    def _target(self, url: str) -> str | None:
        if not self.learned:
            return None
        template, values = template_of(url)
        for rule in self._from.get(template, ()):
            if self._tests[rule].accepted:
                target = rule.target_of(values)
                if target is not None and link_id(url) % AUDIT:
                    return target
        return None

    def _find(self, url: str, content: PageContent) -> None:
        """Add the rules between *url* and other addresses of its text."""
        same = self._addresses.use(content.hash, list)
        if url in same:
            return
        for other in same:
            hints, others = _hints(url), _hints(other)
            if hints != others and domain_of(url) == domain_of(other):
                rule = _rule(url, other) if hints > others else _rule(other, url)
                if rule:
                    self._add(rule, EVEN)
        if len(same) < _SAME_TEXT:
            same.append(url)

    def _add(self, rule: _Rule, odds: float) -> None:
        if rule in self._tests:
            return
        rules = self._from.setdefault(rule.source, {})
        if len(rules) >= _RULES_OF_TEMPLATE:
            self._drop(
                next((it for it in rules if not self._tests[it].accepted), next(iter(rules)))
            )
            rules = self._from.setdefault(rule.source, {})
        self._tests[rule] = SequentialTest(odds)
        rules[rule] = None
        self._to.setdefault(rule.target, {})[rule] = None
        if len(self._tests) > _RULES:
            self._drop(next((it for it, t in self._tests.items() if not t.accepted), rule))

    def _drop(self, rule: _Rule) -> None:
        del self._tests[rule]
        for index, template in ((self._from, rule.source), (self._to, rule.target)):
            del index[template][rule]
            if not index[template]:
                del index[template]

    def _counterparts(self, template: str, values: tuple[str, ...]) -> Iterator[tuple[_Rule, str]]:
        for rule in self._from.get(template, ()):
            target = rule.target_of(values)
            if target is not None:
                yield rule, target
        for rule in self._to.get(template, ()):
            yield rule, rule.source_of(values)


def template_of(url: str) -> tuple[str, tuple[str, ...]]:
    """Return *url* with a zero byte for each number and id of path and query, and these.

    >>> template_of("http://a1.cn/n/2020_m.html")
    ('http://a1.cn/n/\\x00_m.html', ('2020',))
    """
    origin, path = split_origin(url)
    path = path.replace("\0", "")
    return origin + VARIABLE.sub("\0", path), tuple(VARIABLE.findall(path))


def _filled(template: str, values: list[str]) -> str:
    first, *rest = template.split("\0")
    return first + "".join(value + part for value, part in zip(values, rest, strict=True))


def _rule(source: str, target: str) -> _Rule | None:
    """Return the rule that leads from one address to the other, ``None`` if there is none."""
    (template, values), (other, wanted) = template_of(source), template_of(target)
    if template == other or not wanted or max(len(values), len(wanted)) > _VALUES:
        return None
    if domain_of(source) != domain_of(target):
        return None
    places: list[int] = []
    at = 0
    for value in wanted:
        found = [i for i, it in enumerate(values) if it == value and i not in places]
        if not found:
            return None
        at = next((i for i in found if i >= at), found[0])
        places.append(at)
    fixed = tuple((i, value) for i, value in enumerate(values) if i not in places)
    return _Rule(template, other, tuple(places), fixed)


def _hints(url: str) -> int:
    origin, path = split_origin(url)
    return is_device(origin) + (_HINT.search(path) is not None)
