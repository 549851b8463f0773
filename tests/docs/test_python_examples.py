"""The examples of docs/python.md run, one after the other, in a folder of their own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.project import ROOT
from topiccrawl.demo.web import DemoWeb
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

pytestmark = pytest.mark.slow


def test_the_examples_of_the_python_page_run(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "python.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 6
    (tmp_path / "seeds").symlink_to(ROOT / "seeds")
    script = tmp_path / "examples.py"
    script.write_text("\n".join([*blocks, "print(len(frame), 'rows')"]), "utf-8")
    with WebServer(DemoWeb(5, 800)) as server:
        done = subprocess.run(
            [sys.executable, str(script)],
            cwd=tmp_path,
            env={**environment(server.url), "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
    assert done.returncode == 0, done.stderr
    rows = re.search(r"(\d+) rows", done.stdout)
    assert rows is not None
    assert int(rows[1]) > 0
