"""A project of a test's own, scrapy commands in it, and small sites on loopback."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.support import crawl_runs

ROOT = Path(__file__).parents[2]
#: No delays, no reading of robots.txt: the web is ours.
QUICK = ("DOWNLOAD_DELAY=0", "AUTOTHROTTLE_ENABLED=False", "ROBOTSTXT_OBEY=False")


def make_project(folder: Path, *topics: str) -> Path:
    """Make *folder* a project with copies of some of the repository's topics; return it."""
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = topiccrawl.settings\n")
    for topic in topics:
        shutil.copytree(ROOT / "seeds" / topic, folder / "seeds" / topic)
    return folder


def scrapy(folder: Path, *arguments: str, settings: tuple[str, ...] = ()) -> tuple[int, str, str]:
    """Run ``scrapy`` in *folder*; exit code, output and log."""
    # The sites of tests are on loopback.
    settings = ("TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED=127.0.0.0/8", *settings)
    options = [part for setting in settings for part in ("-s", setting)]
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("SCRAPY_") and not name.lower().endswith("_proxy")
    }
    environment["PYTHONPATH"] = str(ROOT)
    done = crawl_runs.scrapy([*arguments, *options], environment, cwd=folder)
    return done.returncode, done.stdout, done.stderr


@contextmanager
def site(
    pages: Mapping[str, bytes], asked: Callable[[str], object] = lambda path: None
) -> Iterator[str]:
    """Serve *pages*, by path, on a free loopback port; yield its address without a slash.

    *asked* is called with the path of each request before it is answered.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked(self.path)
            body = pages.get(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
