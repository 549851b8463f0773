"""The work of ``extract`` on one page, in one of its processes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from topiccrawl import details
from topiccrawl.analysis.extraction import PageExtractor
from topiccrawl.analysis.formats import FORMATS
from topiccrawl.documents.text import DocumentText, UnreadableDocumentError
from topiccrawl.documents.unreadable import unreadable_detail
from topiccrawl.errors import system_reason
from topiccrawl.language import _, user_language

if TYPE_CHECKING:
    from topiccrawl.imports.warc_index import WarcPlace

#: Largest file that is read (a choice: 16 times what a crawl downloads); a device has no end.
MOST_BYTES: Final = 64_000_000
#: A page that needs all tables of the analysis.
_FIRST_PAGE: Final = "<title>侨批档案馆开放</title><h1>侨批档案馆开放</h1><p>侨批档案馆昨日开放，展出侨批三千余封。</p>"


class PageRefused(Exception):  # noqa: N818 - a reason, not a fault
    """A page cannot be read; the message, in the user's language, is why."""


@dataclass(frozen=True, slots=True)
class PageTask:
    """One page to extract."""

    name: str
    """Value of the field ``id``."""
    path: Path | None = None
    """The file to read, if :attr:`body` is not given."""
    body: bytes | None = None
    url: str = ""
    charset: str | None = None
    content_type: str = ""
    file_name: str = ""
    """Name of the file, or URL: one source of the format of a document."""
    record: WarcPlace | None = None
    """Place of the page in a WARC file."""


@dataclass(frozen=True)
class PageWork:
    """Extracts pages and renders them in a format."""

    format: str
    """A key of :data:`~topiccrawl.analysis.formats.FORMATS`."""
    extractor: str
    sentences: int
    """Most sentences of a summary."""
    keywords: int
    """Most keywords."""
    links: bool = False
    """Whether links are written, in a format that has them."""
    structure: bool = False
    """Whether records have the structure of the page, too."""

    @cached_property
    def _pages(self) -> PageExtractor:
        return PageExtractor(
            self.extractor, self.sentences, self.keywords, structure=self.structure
        )

    def warm_up(self) -> None:
        """Load the models and dictionaries, so that forked processes share them."""
        self(PageTask("", body=_FIRST_PAGE.encode()))

    def __call__(self, task: PageTask) -> bytes:
        """Return a page in the format, in UTF-8; nothing for a response that is not a page.

        Raises ``PageRefused`` if it cannot be read.
        """
        if task.record is not None:
            found = _archived(task, task.record)
            if found is None:
                return b""
            task = found
        if (body := task.body) is None:
            assert task.path is not None
            body = read_file(task.path)
        try:
            page = self._pages.read(
                body,
                task.url,
                charset=task.charset,
                content_type=task.content_type,
                file_name=task.file_name,
            )
        except UnreadableDocumentError as error:
            document = DocumentText(reason=error.reason, detail=error.detail)
            raise PageRefused(
                details.translated(unreadable_detail(document), user_language())
            ) from None
        text = FORMATS[self.format].render(self._pages, page, task.name, self.links)
        # A lone surrogate (from an escape in JSON-LD) cannot be encoded as UTF-8.
        return text.encode("utf-8", "replace")


def _archived(task: PageTask, place: WarcPlace) -> PageTask | None:
    """Return the page of a WARC file, ``None`` for a response that is neither page nor document."""
    # Not at module level: warcio is optional.
    from topiccrawl.imports.warc import read_page

    assert task.path is not None
    try:
        response = read_page(task.path, place, MOST_BYTES + 1)
    except OSError as error:
        raise PageRefused(system_reason(error)) from None
    if response is None:
        return None
    header = response.content_type
    return PageTask(
        task.name,
        body=check_size(response.body),
        url=response.url,
        charset=stated_charset(header),
        content_type=header,
        file_name=response.url,
    )


def stated_charset(content_type: str) -> str | None:
    """Return the charset that a Content-Type header states, ``None`` if it states none."""
    return content_type.partition("charset=")[2].partition(";")[0].strip() or None


def read_file(path: Path) -> bytes:
    """Return the content of a file.

    Raises ``PageRefused`` if it cannot be read, or is larger than :data:`MOST_BYTES`.
    """
    try:
        with path.open("rb") as file:
            body = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise PageRefused(system_reason(error)) from None
    return check_size(body)


def check_size(body: bytes) -> bytes:
    """Return *body*; raise :class:`PageRefused` if it is larger than :data:`MOST_BYTES`."""
    if len(body) > MOST_BYTES:
        raise PageRefused(_("more than {most} MB").format(most=MOST_BYTES // 1_000_000))
    return body
