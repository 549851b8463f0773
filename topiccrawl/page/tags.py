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
# fmt: on
