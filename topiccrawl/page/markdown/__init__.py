"""The main text of a page as Markdown, with its images."""

from topiccrawl.page.markdown.composition import Composition, compose

__all__ = ["Composition", "compose"]
