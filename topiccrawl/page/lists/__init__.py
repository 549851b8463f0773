"""List pages: what they list, and the addresses of their further pages, those that scripts open included."""

from topiccrawl.page.lists.pagers import further_pages, next_pages
from topiccrawl.page.lists.recognition import PageList, find_list, may_be_entry

__all__ = ["PageList", "find_list", "further_pages", "may_be_entry", "next_pages"]
