"""What a forked command has imported already; see forked.py.  Settings modules are not among it.

They read the environment when they are imported, which a command must do for itself.
"""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module

import topiccrawl
from topiccrawl.page.page import Page
from topiccrawl.text.idf import IdfTable
from topiccrawl.text.segment import make_segmenter

_PACKAGES = ("commands", "spiders", "middlewares", "pipelines", "extensions", "crawl", "store")

for module in pkgutil.walk_packages(topiccrawl.__path__, "topiccrawl."):
    if module.name.split(".")[1] in _PACKAGES:
        import_module(module.name)

# Tables that are read at their first use.
IdfTable().idf("侨")
make_segmenter(()).cut("归侨")
_ = Page("http://a.example/", "<title>侨</title><p>归侨侨眷的权益，受法律保护。".encode()).body

assert "twisted.internet.reactor" not in sys.modules, "each command installs its own"
assert "topiccrawl.settings" not in sys.modules
