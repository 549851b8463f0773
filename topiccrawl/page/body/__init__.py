"""Body extraction: main text, readers' comments and kind of a page."""

from topiccrawl.page.body.contract import BodyExtractor, Extraction

__all__ = ["BodyExtractor", "Extraction"]
