"""Sets of HTML tags that several walks over a page share."""

from __future__ import annotations

# fmt: off
#: Tags that begin and end a line of the text.
BLOCK_TAGS = frozenset((
    "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd",
    "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer",
    "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html",
    "iframe", "legend", "li", "main", "map", "menu", "nav", "ol", "option", "p", "pre", "section",
    "select", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
))
#: Tags whose text is not shown.
SILENT_TAGS = frozenset((
    "canvas", "iframe", "noframes", "object", "script", "style", "svg", "template", "textarea",
    "title",
))
#: Headings that may be the title.
HEADING_TAGS = frozenset({"h1", "h2", "h3"})
# Tags without a box of their own: their content belongs to the block around them.
_INLINE = frozenset((
    "a", "abbr", "acronym", "area", "b", "base", "bdi", "bdo", "big", "br", "cite", "code", "col",
    "data", "del", "dfn", "em", "embed", "font", "frame", "hr", "i", "iframe", "img", "input",
    "ins", "kbd", "label", "link", "map", "mark", "meta", "noframes", "object", "option", "param",
    "path", "q", "rp", "rt", "ruby", "s", "samp", "script", "small", "source", "span", "strike",
    "strong", "style", "sub", "sup", "svg", "template", "textarea", "time", "title", "track", "tt",
    "u", "use", "var", "video", "wbr",
))
_SPECIALS = frozenset((
    "a", "abbr", "area", "base", "frame", "h1", "h2", "h3", "iframe", "img", "link", "meta", "noscript",
    "script", "time", "title",
))
# Tags of emphasis; pages without headings write their title in them.
_STRONG_TAGS = frozenset({"b", "big", "center", "font", "h4", "h5", "h6", "strong", "th"})
_REGION_TAGS = frozenset((
    "article", "aside", "dl", "footer", "header", "main", "nav", "ol", "ul",
))
# fmt: on
#: The same sets as bits of one number per tag, so that an element needs one lookup.
BLOCK, TEXTLESS, HEADING, SPECIAL, REGION, NO_BOX, STRONG = 1, 2, 4, 8, 16, 32, 64
#: The bits of each tag.
FLAGS = {
    tag: (BLOCK if tag in BLOCK_TAGS else 0)
    | (TEXTLESS if tag in SILENT_TAGS else 0)
    | (HEADING if tag in HEADING_TAGS else 0)
    | (SPECIAL if tag in _SPECIALS else 0)
    | (REGION if tag in _REGION_TAGS else 0)
    | (NO_BOX if tag in _INLINE else 0)
    | (STRONG if tag in _STRONG_TAGS else 0)
    for tag in BLOCK_TAGS
    | SILENT_TAGS
    | HEADING_TAGS
    | _SPECIALS
    | _STRONG_TAGS
    | _REGION_TAGS
    | _INLINE
}
