"""WARC files need warcio, an optional dependency; everything else works without it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.recording import open_sink


@pytest.fixture(autouse=True)
def _no_warcio(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("evaluation.webs.warc", "evaluation.webs.warc_sink", "imports.warc_index"):
        monkeypatch.delitem(sys.modules, f"topiccrawl.{name}", raising=False)
    for name in [name for name in sys.modules if name.startswith("warcio")] or ["warcio"]:
        monkeypatch.setitem(sys.modules, name, None)


def test_opening_a_warc_file_without_warcio_names_the_extra_to_install(tmp_path: Path) -> None:
    path = tmp_path / "web.warc.gz"
    path.write_bytes(b"")
    with pytest.raises(ConfigurationError, match=r'pip install "topiccrawl\[warc\]"'):
        open_web(str(path))


def test_recording_a_warc_file_without_warcio_names_the_extra_to_install(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r'pip install "topiccrawl\[warc\]"'):
        open_sink(tmp_path / "web.warc")


def test_evaluation_and_recording_are_imported_without_warcio() -> None:
    code = (
        "import sys; sys.modules['warcio'] = None;"
        "import topiccrawl.evaluation.evaluation, topiccrawl.evaluation.webs.recording;"
        "from topiccrawl.evaluation.webs.open import open_web; open_web('demo:100')"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
