"""Body extractors by name or dotted path."""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING

from topiccrawl.language import _, listed
from topiccrawl.page.body.classify import classify
from topiccrawl.page.body.contract import BodyExtractor, Extraction, ReadablePage
from topiccrawl.page.body.density import extract_by_density

if TYPE_CHECKING:
    from collections.abc import Callable

#: Name of the extractor that is used if none is named.
DEFAULT_EXTRACTOR = "blocks"


class BlockExtractor:
    """The default: a learned block classifier; see :mod:`topiccrawl.page.body.classify`."""

    def extract(self, page: ReadablePage) -> Extraction:
        """Classify the blocks of the page."""
        return classify(page.outline, page.blocks, page.stated_title, page.url)


class TextDensityExtractor:
    """The method of [doc001]; see :mod:`topiccrawl.page.body.density`.

    It neither separates comments from the body nor decides on the kind; no learned model runs.
    """

    def extract(self, page: ReadablePage) -> Extraction:
        """Select dense lines of the HTML as the body."""
        return Extraction(extract_by_density(page.text))


_EXTRACTORS: dict[str, Callable[[], BodyExtractor]] = {
    "blocks": BlockExtractor,
    "text-density": TextDensityExtractor,
}


def extractor_names() -> list[str]:
    """Return the names of the extractors that come with the project, sorted."""
    return sorted(_EXTRACTORS)


def check_extractor(name: str) -> str:
    """Return ``name`` if it denotes a body extractor.

    Parameters
    ----------
    name : str
        One of :func:`extractor_names`, or the dotted path of a class that implements
        :class:`~topiccrawl.page.body.contract.BodyExtractor`.

    Raises
    ------
    ValueError
        If the name is unknown or the class cannot be imported; the message names the reason.
    """
    get_extractor(name)
    return name


@cache
def get_extractor(name: str) -> BodyExtractor:
    """Return the extractor of a name or dotted path; one instance per process.

    Parameters and errors as for :func:`check_extractor`.
    """
    factory = _EXTRACTORS.get(name)
    return _load(name) if factory is None else factory()


def _load(path: str) -> BodyExtractor:
    """Import the class of a dotted path and return an instance."""
    module_name, __, class_name = path.rpartition(".")
    if not module_name:
        raise ValueError(
            _(
                "body extractor must be one of {names}, got {path!r}; a class of another "
                "package is named by its dotted path"
            ).format(names=listed(extractor_names()), path=path)
        )
    try:
        module = importlib.import_module(module_name)
    except (ImportError, TypeError, ValueError) as error:
        raise ValueError(
            _("body extractor {path!r}: cannot import {module_name!r}: {error}").format(
                path=path, module_name=module_name, error=error
            )
        ) from error
    found = getattr(module, class_name, None)
    if not isinstance(found, type) or not callable(getattr(found, "extract", None)):
        raise ValueError(
            _(
                "body extractor {path!r}: {module_name!r} has no class {class_name!r} with a "
                "method extract(page)"
            ).format(path=path, module_name=module_name, class_name=class_name)
        )
    try:
        extractor: BodyExtractor = found()
    except TypeError as error:
        raise ValueError(
            _(
                "body extractor {path!r}: {class_name!r} cannot be built without arguments: {error}"
            ).format(path=path, class_name=class_name, error=error)
        ) from error
    return extractor
