"""Which pages are loaded in a browser: those of sites that the topic names, and those of learned templates.

Whether scripts put content into a page is not decided for each page but for its template: host and
structure of the shell.  The first page of a template is a trial, during which others of the template wait;
after it they go to the browser, or stay as they are.  Both decisions are re-tested, ever more rarely.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from topiccrawl.bounded import BoundedDict
from topiccrawl.urls.hosts import host_of
from topiccrawl.urls.scope import Scope

if TYPE_CHECKING:
    from topiccrawl.topics.definition import TopicDefinition

#: Templates that are remembered (a guess: a site has a few).
_TEMPLATES: Final = 20_000
#: Pages of a template without gain after which it is tried again, doubled each time (a guess).
_RETEST_PLAIN: Final = 50
#: Loads in a row without gain after which a template does not go to the browser any more (a guess).
_USELESS: Final = 3
#: Trials that failed, without showing anything, after which the template is left alone for a while.
_FAILED_TRIALS: Final = 3


class Learned(NamedTuple):
    """What a trial has shown, as the journal keeps it."""

    host: str
    template: str
    gains: bool


@dataclass(slots=True)
class _Template:
    gains: bool | None = None
    """``None``: not tried yet."""
    seen: int = 0
    """Pages since the last trial."""
    retest: int = _RETEST_PLAIN
    useless: int = 0
    failed: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class BrowserChoice:
    """Decides about pages; the same decisions for all workers, by the journal."""

    def __init__(
        self, definition: TopicDefinition, publish: Callable[[Learned], object], *, learns: bool
    ) -> None:
        """*learns*: also pages of other sites are loaded if they look like shells."""
        hosts = dict.fromkeys(host_of(seed.url) for seed in definition.seeds if seed.browser)
        self._named = Scope(allow=(*hosts, *definition.browser))
        self._publish = publish
        self._templates: BoundedDict[tuple[str, str], _Template] = BoundedDict(_TEMPLATES)
        self.learns = learns

    @property
    def possible(self) -> bool:
        """Whether any page can be loaded in a browser."""
        return self.learns or bool(self._named)

    def named(self, url: str) -> bool:
        """Whether the topic names the page *url*."""
        return bool(self._named) and self._named.exclusion(url) is None

    def receive(self, learned: Learned) -> None:
        """Take over what another worker, or an earlier run, has learned."""
        self._template(learned.host, learned.template).gains = learned.gains

    def _template(self, host: str, template: str) -> _Template:
        key = (host, template)
        return self._templates.use(key, _Template)

    async def load(
        self, host: str, template: str, trial: Callable[[], object]
    ) -> tuple[bool, bool]:
        """Return whether a shell should be loaded, and whether that is a trial.

        The caller reports a trial with :meth:`tried`; others of the template wait until then.  *trial*
        is called before one begins.
        """
        found = self._template(host, template)
        if found.gains is None or found.lock.locked():
            await found.lock.acquire()
            if found.gains is None:
                trial()
                return True, True
            found.lock.release()
        found.seen += 1
        if found.gains:
            return True, False
        if found.seen >= found.retest:
            await found.lock.acquire()
            found.seen, found.retest = 0, 2 * found.retest
            trial()
            return True, True
        return False, False

    def tried(self, host: str, template: str, gains: bool | None) -> None:
        """End a trial; ``None``: it failed and shows nothing."""
        found = self._template(host, template)
        if found.lock.locked():
            found.lock.release()
        if gains is None:
            found.failed += 1
            gains = False if found.failed >= _FAILED_TRIALS and found.gains is None else None
        if gains is not None and gains is not found.gains:
            found.gains, found.seen = gains, 0
            self._publish(Learned(host, template, gains))

    def loaded(self, host: str, template: str, gains: bool) -> None:
        """Record what a load that was not a trial has shown."""
        found = self._template(host, template)
        found.useless = 0 if gains else found.useless + 1
        if found.useless >= _USELESS and found.gains:
            found.gains, found.seen, found.useless = False, 0, 0
            self._publish(Learned(host, template, False))
