"""Trees of HTML pages, for tests that look into them."""

from __future__ import annotations

from typing import Any

import lxml.html


def html_tree(text: str) -> Any:
    """Return the tree of a document or a part of one; the stubs of lxml lack the methods of its HTML elements."""
    return lxml.html.fromstring(text)
