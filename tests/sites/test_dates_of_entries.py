"""When the entries of sitemaps and feeds were changed."""

from __future__ import annotations

import pytest

from topiccrawl.sites.files import SiteFile

ATOM = (
    "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='http://a.example/1'/>"
    "<published>2024-03-01T08:00:00Z</published><updated>2024-05-02T08:00:00Z</updated></entry></feed>"
)
RSS_1 = (
    "<rdf:RDF xmlns:dc='http://purl.org/dc/elements/1.1/'><item rdf:about='http://a.example/1'>"
    "<link>http://a.example/1</link><dc:date>2024-05-02T08:00:00Z</dc:date></item></rdf:RDF>"
)
NEWS = (
    "<urlset><url><loc>http://a.example/1</loc><lastmod>2024-05-02T08:00:00Z</lastmod><news:news>"
    "<news:publication_date>2024-03-01</news:publication_date></news:news></url></urlset>"
)


@pytest.mark.parametrize("text", [ATOM, RSS_1, NEWS], ids=["atom", "rss-1.0", "news"])
def test_the_last_change_counts_before_the_publication(text: str) -> None:
    (entry,) = (
        it for batch in SiteFile("http://a.example/f", text.encode()) for it in batch.entries
    )
    assert entry.modified == "2024-05-02T08:00:00Z"
