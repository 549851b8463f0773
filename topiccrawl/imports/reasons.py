"""What the reasons of files that are left out mean, in the order in which they are shown."""

from __future__ import annotations

from typing import Final

from topiccrawl.language import N_

#: Reason of an entry that an earlier run of the same import has brought.
BEFORE: Final = "before"

#: Reason of an entry of which the store has a later version.
NEWER: Final = "newer-stored"

#: Meaning of each reason.
REASONS: Final = {
    BEFORE: N_("imported before"),
    NEWER: N_("the store has a later version of the page"),
    "asset": N_("pictures, scripts, style sheets and the like"),
    "part-of-page": N_("folders that belong to a saved page"),
    "hidden": N_("hidden files"),
    "empty": N_("empty"),
    "url-list": N_("lists of URLs in a folder; name such a file to import it"),
    "no-reader": N_("documents, which cannot be read here"),
    "unknown": N_("neither a page nor a document"),
    "not-a-url": N_("lines that are no http or https URL"),
    "out-of-scope": N_("URLs outside the scope of the crawl"),
    "not-a-page": N_("records that are no pages"),
    "redirect": N_("redirects"),
    "error-page": N_("answers of servers that are errors"),
    "unchanged": N_("records of pages that had not changed, whose text is in another file"),
    "repeated": N_("earlier versions of a page in the same file"),
    "too-large": N_("too large"),
    "bomb": N_("archives that unpack to far more than their size; the rest of them is left out"),
    "nesting": N_("archives in archives in archives"),
    "encrypted": N_("encrypted"),
    "other-archive": N_("archives of another kind (rar, 7z, chm); unpack them first"),
    "unsafe-name": N_("names that lead out of the archive"),
    "link": N_("links, which are not followed"),
    "not-a-file": N_("devices and the like"),
    "damaged": N_("damaged"),
    "unreadable": N_("files that cannot be read"),
}
