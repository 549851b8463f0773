"""The main text of a page as Markdown, with its images."""

from topiccrawl.page.markdown.composition import Composition, compose
from topiccrawl.page.markdown.pictures import stated_image

__all__ = ["Composition", "compose", "stated_image"]
