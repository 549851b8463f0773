"""Takes the pictures of the report in both READMEs: docs/images/report.png, report.zh-CN.png.

    python .ci/pictures.py [DEMO_FOLDER]

``make pictures`` runs `scrapy demo` before it; chromium must be installed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Pictures by the language of the report.
PICTURES = {"en": "docs/images/report.png", "zh": "docs/images/report.zh-CN.png"}
#: Width and height in CSS pixels: the first screen of a small laptop.
SIZE = (1100, 760)


def main(arguments: list[str]) -> int:
    """Take the pictures of the report in a demonstration's folder; return the exit code."""
    folder = Path(arguments[0] if arguments else ROOT / "demo-out").resolve()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("chromium is not installed")
        return 1
    with tempfile.TemporaryDirectory() as temporary:
        for language, picture in PICTURES.items():
            report = Path(temporary) / f"{language}.html"
            store = f"sqlite:///{folder / 'demo.sqlite'}"
            command = [sys.executable, "-m", "scrapy", "report", "--store", store]
            command += ["--lang", language, "--out", str(report)]
            subprocess.run(command, cwd=ROOT, check=True)
            (ROOT / picture).parent.mkdir(exist_ok=True)
            subprocess.run(
                [
                    chromium, "--headless=new", "--no-sandbox", "--hide-scrollbars",
                    f"--user-data-dir={temporary}/profile", f"--window-size={SIZE[0]},{SIZE[1]}",
                    f"--screenshot={ROOT / picture}", report.as_uri(),
                ],
                check=True, capture_output=True, timeout=120,
            )  # fmt: skip
            print(picture, (ROOT / picture).stat().st_size)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
