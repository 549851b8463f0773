"""The views of the console: each module of ``console.views`` declares one, and is found by itself."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from topiccrawl.console.desk import Desk


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the console: its routes, and its place in the navigation.

    A module ``topiccrawl/console/views/<key>.py`` defines it as ``SECTION``.
    """

    key: str
    """Name in code and in URLs, unique."""
    title: str
    """What the navigation shows: ``N_("Trends")``."""
    order: int
    """Place in the navigation, smallest first."""
    routes: Sequence[BaseRoute]
    """The first one is where the navigation leads."""
    needs_topic: bool = True
    """Whether its routes begin with ``/t/{topic}/``."""
    in_navigation: bool = True
    lifespan: Callable[[Desk], AbstractAsyncContextManager[None]] | None = None
    """Entered after the store has been opened, left before it is closed."""


@cache
def sections() -> tuple[Section, ...]:
    """Return the sections of all modules in ``topiccrawl.console.views``, in order."""
    package = import_module("topiccrawl.console.views")
    names = sorted(info.name for info in pkgutil.iter_modules(package.__path__))
    modules = [import_module(f"{package.__name__}.{name}") for name in names]
    found = [module.SECTION for module in modules if hasattr(module, "SECTION")]
    return tuple(sorted(found, key=lambda section: (section.order, section.key)))
