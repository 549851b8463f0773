"""Takes the pictures in both READMEs, of the report and of the console, in docs/images.

    python .ci/pictures.py [DEMO_FOLDER]

``make pictures`` runs `scrapy demo` before it; chromium must be installed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).parents[1]
#: Endings of the names of pictures, by language.
ENDINGS = {"en": "png", "zh": "zh-CN.png"}
#: Width and height in CSS pixels: of the report, the first screen of a small laptop; of the console, less.
SIZE, CONSOLE_SIZE = (1100, 760), (1000, 560)
#: Most bytes of a picture of the console.
MOST_BYTES = 150_000


def main(arguments: list[str]) -> int:
    """Take the pictures of a demonstration's folder; return the exit code."""
    folder = Path(arguments[0] if arguments else ROOT / "demo-out").resolve()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("chromium is not installed")
        return 1
    store = f"sqlite:///{folder / 'demo.sqlite'}"
    (ROOT / "docs/images").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, console(store) as url:
        for language, ending in ENDINGS.items():
            report = Path(temporary) / f"{language}.html"
            command = [sys.executable, "-m", "scrapy", "report", "--store", store]
            command += ["--lang", language, "--out", str(report)]
            subprocess.run(command, cwd=ROOT, check=True)
            take(chromium, report.as_uri(), f"docs/images/report.{ending}")
            page = quote(f"/t/{quote('侨情')}/", safe="")
            picture = f"docs/images/console.{ending}"
            size = take(
                chromium, f"{url}preferences?lang={language}&next={page}", picture, CONSOLE_SIZE
            )
            if size > MOST_BYTES:
                print(f"{picture} has more than {MOST_BYTES} bytes")
                return 1
    return 0


@contextmanager
def console(store: str) -> Iterator[str]:
    """Run a console over *store*, wait until its figures are there, and yield its URL."""
    process = subprocess.Popen(
        [sys.executable, "-m", "scrapy", "console", "--port", "0", "--store", store],
        cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        url = next(word for word in process.stdout.readline().split() if "://" in word)
        url = url[url.index("http") :].partition("（")[0]
        for _attempt in range(60):
            with urllib.request.urlopen(url) as answer:
                if "Refresh" not in answer.headers:
                    break
            time.sleep(0.5)
        yield url
    finally:
        process.terminate()
        process.wait()


def take(chromium: str, url: str, picture: str, size: tuple[int, int] = SIZE) -> int:
    """Save what a browser shows at *url* as *picture*; return its bytes."""
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [
                chromium, "--headless=new", "--no-sandbox", "--hide-scrollbars",
                f"--user-data-dir={profile}", f"--window-size={size[0]},{size[1]}",
                f"--screenshot={ROOT / picture}", url,
            ],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip
    count = (ROOT / picture).stat().st_size
    print(picture, count)
    return count


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
