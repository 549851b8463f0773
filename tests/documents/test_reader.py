"""The child process that reads documents: limits, crashes, and what becomes of the process."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.documents.forms import docx_of
from topiccrawl.documents.reader import DocumentReader

TEXT = ["侨务通知", "各区侨务办公室请于本月底以前报送归侨侨眷登记表。"]


def hostile(tmp_path: Path, code: str) -> type[DocumentReader]:
    """A reader whose process runs *code* in place of reading a document that is called ``hostile``."""
    script = tmp_path / "serve.py"
    script.write_text(
        "import os, signal, sys, time\n"
        "from topiccrawl.documents import serve\n"
        "honest = serve.read_document\n"
        "def read(body, content_type, name, **more):\n"
        "    if name == 'hostile':\n"
        f"        {code}\n"
        "    return honest(body, content_type, name, **more)\n"
        "serve.read_document = read\n"
        "serve.main()\n",
        encoding="utf-8",
    )

    class Hostile(DocumentReader):
        command = (sys.executable, str(script))

    return Hostile


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("while True: pass", "timed-out"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "crashed"),
        ("os._exit(3)", "crashed"),
        ("bytearray(2_000_000_000)", "crashed"),
    ],
)
def test_a_document_that_ends_its_process_has_a_reason_and_the_next_one_is_read(
    tmp_path: Path, code: str, reason: str
) -> None:
    with hostile(tmp_path, code)(seconds=0.5) as reader:
        assert reader.read(b"x", name="hostile").reason == reason
        assert reader.read(docx_of(TEXT)).lines == TEXT


@pytest.mark.parametrize(("body", "kind"), [(b"%PDF-1.7", "pdf"), (b"PK\x03\x04", "docx")])
def test_a_document_that_ends_its_process_is_a_document(
    tmp_path: Path, body: bytes, kind: str
) -> None:
    with hostile(tmp_path, "os._exit(3)")() as reader:
        stated = "" if kind == "pdf" else "application/vnd.openxmlformats.wordprocessingml"
        assert reader.read(body, stated, "hostile").kind == kind


def test_memory_is_limited() -> None:
    rows = b"<w:p><w:r><w:t>" + "侨".encode() * 1000 + b"</w:t></w:r></w:p>"
    flat = (
        b'<?xml version="1.0"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml">'
        b"<w:body>" + rows * 5_000
    )
    with DocumentReader(megabytes=20) as reader:
        assert reader.read(flat).reason in ("too-large", "crashed")


def test_a_process_that_was_ended_from_outside_is_replaced() -> None:
    with DocumentReader() as reader:
        assert reader.read(docx_of(TEXT)).lines == TEXT
        process = reader._child.process
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert reader.read(docx_of(TEXT)).lines == TEXT


def test_no_process_is_left_behind() -> None:
    reader = DocumentReader()
    reader.read(docx_of(TEXT))
    process = reader._child.process
    assert process is not None
    reader.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)


def test_a_document_has_a_reason_where_no_process_can_be_started() -> None:
    class Nowhere(DocumentReader):
        command = ("/nowhere/python",)

    with Nowhere() as reader:
        assert reader.read(b"%PDF-1.4").reason == "crashed"
