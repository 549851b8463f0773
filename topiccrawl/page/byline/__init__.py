"""The by-line of a page: author, source and editor."""

from topiccrawl.page.byline.attribution import Byline, find_byline

__all__ = ["Byline", "find_byline"]
