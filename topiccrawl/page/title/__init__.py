"""The title of a page, and names of sites in titles."""

from topiccrawl.page.title.selection import Title, title_of
from topiccrawl.page.title.site_names import strip_site_tail

__all__ = ["Title", "strip_site_tail", "title_of"]
