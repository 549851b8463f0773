"""Program text: the content of ``pre`` elements, without what highlighters add to it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from topiccrawl.page.bounds import MAX_TEXT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Class names of line numbers, in the templates of highlighters (Pygments, Rouge, Hexo, SyntaxHighlighter,
# highlight.js, Prism, CSDN), and of the buttons above the code.
_GUTTER = re.compile(
    r"(?<![a-z])(?:gutter|line-?nos?|lineno?s?|line-?numbers?-rows|pre-?numbering|hljs-ln-numbers"
    r"|blob-num)(?![a-z])",
    re.IGNORECASE,
)
_BUTTON = re.compile(
    r"(?<![a-z])(?:copy(?:-?code)?-?(?:button|btn)|btn-?copy|toolbar|hljs-button)(?![a-z])", re.I
)
_PREFIX = re.compile(r"^(?:language|lang|highlight-source|highlight|brush|code|sourcecode)[-_:]")
# fmt: off
#: Names of languages in classes. Other words there mean something else ("block", "wrapper").
_LANGUAGES = frozenset((
    "asm", "awk", "bash", "bat", "c", "c#", "c++", "clojure", "cmake", "cpp", "cs", "csharp", "css",
    "dart", "diff", "dockerfile", "elixir", "erlang", "fortran", "go", "golang", "graphql", "groovy",
    "haskell", "html", "http", "ini", "java", "javascript", "js", "json", "jsx", "julia", "kotlin",
    "latex", "less", "lisp", "lua", "makefile", "markdown", "matlab", "nginx", "objc", "objectivec",
    "ocaml", "pascal", "perl", "php", "powershell", "properties", "proto", "py", "python", "r", "rb",
    "ruby", "rust", "sass", "scala", "scheme", "scss", "sh", "shell", "sql", "swift", "tex", "toml",
    "ts", "tsx", "typescript", "vb", "vim", "vue", "xml", "yaml", "yml",
))
_LINE_TAGS = frozenset(("div", "p", "li", "tr", "ol", "ul", "table", "tbody"))
# fmt: on
_NUMBERED = re.compile(r"\s*(\d{1,5})(?:[.:|]?[ \t\u00a0]|[.:|]?$)")
_HAN = re.compile("[\u3400-\u9fff]")


def language_of(names: str) -> str:
    """Return the programming language that class names state, empty if none does.

    >>> language_of("brush: js; toolbar: false"), language_of("code-block")
    ('js', '')
    """
    words = re.split(r"[\s;]+", names.lower().replace(": ", ":"))[:20]
    stated = [_PREFIX.sub("", word) for word in words]
    return next((word for word in stated if word in _LANGUAGES), "")


def is_gutter(names: str) -> bool:
    """Whether class names denote the line numbers of a highlighter."""
    return _GUTTER.search(names) is not None


class CodeText:
    """Gathers the text of an element of code with its white space, without line numbers. Linear."""

    def __init__(self) -> None:
        self.has_code = False
        """Whether there is a ``code`` element in it."""
        self.names = ""
        """Class of the first one."""
        self._parts: list[str] = []
        self._size = self._skipped = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Receive the start of an element inside."""
        names = attributes.get("class", "")[:200]
        if tag == "code" and not self.has_code:
            self.has_code, self.names = True, names
        if (
            self._skipped
            or tag == "button"
            or (names and (_GUTTER.search(names) or _BUTTON.search(names)))
        ):
            self._skipped += 1
        elif tag == "br" or (tag in _LINE_TAGS and self._is_inside_line()):
            self._parts.append("\n")

    def end(self, tag: str) -> None:
        """Receive the end of an element inside."""
        self._skipped -= self._skipped > 0
        if tag in _LINE_TAGS and not self._skipped and self._is_inside_line():
            self._parts.append("\n")

    def data(self, text: str) -> None:
        """Receive the text between two tags."""
        if not self._skipped and self._size <= MAX_TEXT:
            self._parts.append(text[:MAX_TEXT])
            self._size += len(text)

    def _is_inside_line(self) -> bool:
        return bool(self._parts) and self._parts[-1][-1:] != "\n"

    def text(self) -> str:
        """Return the text; empty if there is nothing but line numbers."""
        lines = (
            "".join(self._parts).replace("\u00a0", " ").replace("\r", "").expandtabs(4).split("\n")
        )
        lines = without_numbers([line.rstrip() for line in lines])
        return "\n".join(lines).strip("\n")


def without_numbers(lines: Sequence[str]) -> list[str]:
    """Return lines without the line numbers before them: 1, 2, 3 … before at least three.

    >>> without_numbers(["1 a = b", "2 c", "3"])
    ['a = b', 'c', '']
    """
    while lines and not lines[0]:
        lines = lines[1:]
    while lines and not lines[-1]:
        lines = lines[:-1]
    found = [_NUMBERED.match(line) for line in lines]
    if len(lines) < 3:
        return list(lines)
    numbers = [int(match[1]) for match in found if match is not None]
    if len(numbers) < len(lines) or numbers != list(range(numbers[0], numbers[0] + len(lines))):
        return list(lines)
    return [line[match.end() :] for line, match in zip(lines, found, strict=True) if match]


def is_prose(code: str, *, marked: bool) -> bool:
    """Whether a ``pre`` holds running text, as in old forums and mails: half of it Han characters.

    Parameters
    ----------
    code : str
        Its content.
    marked : bool
        Whether it contains a ``code`` element or states a language.
    """
    return not marked and 2 * len(_HAN.findall(code)) > len("".join(code.split()))
