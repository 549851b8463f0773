"""Open a stored web by path or name."""

from __future__ import annotations

from pathlib import Path

from topiccrawl.errors import ConfigurationError, needs_extra
from topiccrawl.evaluation.webs.demo import DemoStoredWeb
from topiccrawl.evaluation.webs.portals import FieldStoredWeb, PortalStoredWeb
from topiccrawl.evaluation.webs.sqlite import WEB_FILE, SqliteWeb
from topiccrawl.evaluation.webs.web import Web
from topiccrawl.language import _

#: Class, usual and least number of pages of each generated web.
_GENERATED: dict[str, tuple[type[DemoStoredWeb | PortalStoredWeb], int, int]] = {
    "demo": (DemoStoredWeb, 800, 100),
    "portals": (PortalStoredWeb, 3_000, 500),
    "fields": (FieldStoredWeb, 3_000, 500),
}
#: Most pages of a generated web, which is made in memory (a choice: some gigabytes).
_MOST_PAGES = 1_000_000
_WARC_SUFFIXES = (".warc", ".warc.gz")


def open_web(spec: str) -> Web:
    """Open the stored web that *spec* names.

    *spec* is a folder with web.sqlite (or one WARC file), a SQLite file, a WARC file (``.warc``,
    ``.warc.gz``), or ``demo``, ``demo:PAGES``, ``demo:PAGES:SEED`` for the generated web, or the same
    with ``portals`` for the generated web of portals, and ``fields`` for that with topical
    neighborhoods.

    Raises:
        ConfigurationError: there is no such web, it cannot be read, or warcio is missing.
    """
    kind, *numbers = spec.split(":")
    if kind in _GENERATED and not Path(spec).exists():
        return _generated(spec, kind, numbers)
    path = Path(spec).expanduser()
    if path.is_dir():
        return _folder(path)
    if not path.is_file():
        raise ConfigurationError(
            _(
                "a web must be a folder with web.sqlite, a .sqlite file, a .warc or .warc.gz "
                "file, demo:PAGES:SEED, portals:PAGES:SEED or fields:PAGES:SEED, got {spec!r}: "
                "no such file or folder"
            ).format(spec=spec)
        )
    if path.name.lower().endswith(_WARC_SUFFIXES):
        return _warc(path)
    return SqliteWeb(path)


def _folder(path: Path) -> Web:
    if (path / WEB_FILE).is_file():
        return SqliteWeb(path / WEB_FILE)
    warcs = [file for file in path.iterdir() if file.name.lower().endswith(_WARC_SUFFIXES)]
    if len(warcs) == 1:
        return _warc(warcs[0])
    raise ConfigurationError(
        _(
            "the folder of a web must hold {web_file} or one WARC file, {path} holds "
            "{count} WARC files and no {web_file}"
        ).format(web_file=WEB_FILE, path=path, count=len(warcs))
    )


def _warc(path: Path) -> Web:
    with needs_extra("warc", _("The WARC file {path}").format(path=path)):  # optional dependency
        from topiccrawl.evaluation.webs.warc import WarcWeb
    return WarcWeb(path)


def _generated(spec: str, kind: str, numbers: list[str]) -> Web:
    if len(numbers) > 2 or not all(number.isdecimal() for number in numbers):
        raise ConfigurationError(
            _("a generated web must be {kind}:PAGES:SEED, got {spec!r}").format(
                kind=kind, spec=spec
            )
        )
    make, usual, least = _GENERATED[kind]
    size, *seed = [int(number) for number in numbers] or [usual]
    if size < least:
        raise ConfigurationError(
            _("the generated web {kind} must have >= {least} pages, got {spec!r}").format(
                kind=kind, least=least, spec=spec
            )
        )
    if size > _MOST_PAGES:
        raise ConfigurationError(
            _("the generated web {kind} must have <= {most} pages, got {spec!r}").format(
                kind=kind, most=_MOST_PAGES, spec=spec
            )
        )
    return make(size, *seed)
