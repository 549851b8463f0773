"""Brings the catalogs of messages up to date with the code, and compiles them.

    python .ci/messages.py --write

``make messages`` does the same.  New messages get an empty translation, which is filled in by hand
in the .po file; then ``make messages`` again compiles it.  Messages that the code has no more are
removed, and nothing is guessed ("fuzzy").  Without ``--write`` it lists what is wrong: files that are
out of date, messages without a translation, and translations with other placeholders.
"""

from __future__ import annotations

import io
import re
import string
import sys
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "topiccrawl"
FOLDER = PACKAGE / "locale" / "zh_CN" / "LC_MESSAGES"
SOURCE = FOLDER / "topiccrawl.po"
COMPILED = FOLDER / "topiccrawl.mo"
#: The functions of topiccrawl/language.py.
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}
#: Messages are in the code and in the templates of the console.
_METHODS = [("**.py", "python"), ("console/templates/**.html", "jinja2")]
#: A template that cannot be parsed is an error, not one without messages.
_OPTIONS = {"console/templates/**.html": {"silent": "false"}}
_COMMENT = (
    "# Chinese messages of topiccrawl; `make messages` adds and removes them, people translate."
)


class _Catalog(Catalog):
    """A catalog whose header does not change from run to run."""

    mime_headers = property(
        lambda self: [
            ("Language", "zh_CN"),
            ("Plural-Forms", "nplurals=1; plural=0;"),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]
    )


def extracted() -> Catalog:
    """Return the messages of the code, each with the files that contain it."""
    catalog = _Catalog("zh_CN", header_comment=_COMMENT, fuzzy=False)
    found = extract_from_dir(PACKAGE, _METHODS, keywords=KEYWORDS, options_map=_OPTIONS)
    for name, _line, message, comments, _context in sorted(found, key=lambda one: one[:2]):
        # Without line numbers, which would change with every edit.
        catalog.add(message, None, [(f"topiccrawl/{name}", None)], auto_comments=comments)
    return catalog


def updated(text: str) -> Catalog:
    """Return the messages of the code with their translations in *text*, a .po file."""
    old, new = read_po(io.StringIO(text), locale="zh_CN"), extracted()
    for message in new:
        known = old.get(message.id) if message.id else None
        if known is not None:
            message.string = known.string
    return new


def render(catalog: Catalog) -> str:
    """Return *catalog* as a .po file."""
    stream = io.BytesIO()
    write_po(stream, catalog, width=100, sort_by_file=True, include_lineno=False)
    return stream.getvalue().decode()


def compiled(catalog: Catalog) -> bytes:
    """Return *catalog* as a .mo file."""
    stream = io.BytesIO()
    write_mo(stream, catalog)
    return stream.getvalue()


def mistakes(catalog: Catalog) -> list[str]:
    """Return what is wrong with the translations, one line for each message."""
    return [
        f"{message.locations[0][0]}: {message.id!r}: {problem}"
        for message in catalog
        if message.id and (problem := _problem(message))
    ]


def _problem(message: Message) -> str:
    ids = message.id if isinstance(message.id, tuple) else (message.id,)
    strings = message.string if isinstance(message.string, tuple) else (message.string,)
    if not all(strings):
        return "has no translation"
    # Chinese has one form: that of the plural.
    wanted, found = placeholders(ids[-1]), [placeholders(text) for text in strings]
    return "" if all(one == wanted for one in found) else f"other placeholders: {found}"


def placeholders(text: str) -> list[str]:
    """Return the sorted ``%(fields)d`` of *text*, else its ``{fields}`` with conversion and format."""
    if percent := re.findall(r"%\(\w+\)[-+ #0-9.]*[a-z]", text):
        return sorted(percent)
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError:  # not for str.format
        return []
    return sorted(f"{name}!{conv}:{form}" for _, name, form, conv in parts if name is not None)


def main(arguments: list[str]) -> int:
    """Write the files, or list what is wrong; return the exit code."""
    before = SOURCE.read_text("utf-8") if SOURCE.exists() else ""
    catalog = updated(before)
    text, binary = render(catalog), compiled(catalog)
    problems = mistakes(catalog)
    if "--write" in arguments:
        SOURCE.write_text(text, "utf-8")
        COMPILED.write_bytes(binary)
    else:
        old = COMPILED.read_bytes() if COMPILED.exists() else b""
        stale = [(SOURCE, before != text), (COMPILED, old != binary)]
        problems += [f"{path}: run `make messages`" for path, wrong in stale if wrong]
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
