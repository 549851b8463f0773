"""Pages that are not content: block pages, captchas, login walls, soft 404s and empty shells."""

from topiccrawl.page.notcontent.kinds import NotContent, NotContentKind
from topiccrawl.page.notcontent.recognition import recognize

__all__ = ["NotContent", "NotContentKind", "recognize"]
