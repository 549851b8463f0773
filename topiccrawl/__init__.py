"""topiccrawl: a topic (focused) crawler for the Chinese web, built on Scrapy."""

import sys

__version__ = "0.1.0"

if sys.version_info < (3, 11):  # noqa: UP036  pip and make refuse it too, but not every way leads there
    raise SystemExit(
        "topiccrawl needs Python 3.11 or newer (需要 Python 3.11 以上), this is "
        + ".".join(map(str, sys.version_info[:3]))
    )
