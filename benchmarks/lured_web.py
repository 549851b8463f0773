"""A web with an attacker, whose comments on genuine pages lead to his own: where his pages are, and what they show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from urllib.parse import quote, urlsplit

from topiccrawl.demo.draws import Draws
from topiccrawl.demo.text import compose, story_title
from topiccrawl.evaluation.webs.web import StoredPage, Web, WebTopic
from topiccrawl.urls.domains import registered_domain

#: Beginning of the attacker's domains; no domain of a generated web begins so.
OWN = "lure"
#: Share of the articles with comments of the attacker, and his links in each (choices).
COMMENTED, COMMENTS = 0.1, 10
#: Links of an attacker's page, and his host names and domains where their number is limited (choices).
LINKS, NAMES, DOMAINS = 50, 300, 50
#: Different texts of an endless space (a choice).
FEW = 20

#: Makes the address of an attacker's page, from the address of the page with the link, empty for genuine ones.
Address = Callable[[Draws, str], str]


@dataclass(frozen=True, slots=True)
class Attack:
    """How an attacker lays out his pages."""

    address: Address
    text: str = "off"
    """``off``: another subject; ``echo``: the same under a title on the topic; ``few``: one of 20 such texts;
    ``results``: a search that has found nothing; ``half``: every second page is on the topic."""
    links: int = LINKS
    comments: int = COMMENTS
    commented: float = COMMENTED
    only_relevant: bool = False
    """Whether comments are on pages on the topic only."""
    hops: int = 0
    """Redirects before a page."""
    dead: bool = False
    """Whether none of his addresses has a page."""
    filed: bool = False
    """Whether breadcrumbs and menus of his pages name a keyword as their channel."""
    misnamed: float = 0.0
    """Share of the genuine sites that do so on all of their pages: the site or a tag is called so."""
    misfiled: float = 0.0
    """Share of the genuine articles off the topic that do so."""


def _slug(draws: Draws) -> str:
    return "".join("bcdfghjklmnpqrstvwxyz"[draws.below(21)] for _ in range(9))


def one_host(draws: Draws, _: str) -> str:
    """Return any page of one host."""
    return f"http://www.{OWN}one.example/{_slug(draws)}.html"


def names(draws: Draws, _: str) -> str:
    """Return any page of 300 names of a domain."""
    return f"http://n{draws.below(NAMES)}.{OWN}many.example/{_slug(draws)}.html"


def any_name(draws: Draws, _: str) -> str:
    """Return a page of a new name of a domain that answers under all."""
    return f"http://{_slug(draws)}.{OWN}any.example/{_slug(draws)}.html"


def homes(draws: Draws, _: str) -> str:
    """Return the home page of such a name: pages of links alone."""
    return f"http://{_slug(draws)}.{OWN}any.example/"


def domains(draws: Draws, _: str) -> str:
    """Return any page of 50 domains that link to each other."""
    return f"http://www.{OWN}{draws.below(DOMAINS)}.example/{_slug(draws)}.html"


def any_domain(draws: Draws, _: str) -> str:
    """Return a page of a new domain."""
    return f"http://www.{OWN}{_slug(draws)}.example/{_slug(draws)}.html"


def calendar(draws: Draws, _: str) -> str:
    """Return a day of a calendar."""
    return f"http://www.{OWN}one.example/events?day={draws.below(4_000)}&view={draws.below(3)}"


def facets(draws: Draws, _: str) -> str:
    """Return a list with three of six filters."""
    filters = ("sort", "color", "size", "brand", "from", "page")
    chosen = [filters[i] for i in draws.sample(3, len(filters))]
    query = "&".join(f"{name}={draws.below(30)}" for name in chosen)
    return f"http://www.{OWN}one.example/list?{query}"


def session(draws: Draws, _: str) -> str:
    """Return one of 20 articles with a session id."""
    return f"http://www.{OWN}one.example/news/{draws.below(20)}.html?k={_slug(draws)}"


def growing(draws: Draws, source: str) -> str:
    """Return a page in a folder of the one before."""
    folder = source.rpartition("/")[0] if source else f"http://www.{OWN}one.example"
    name = draws.pick(("news", "list", "view", "more", "topic", "hot"))
    return f"{folder}/{name}{draws.below(9)}/{draws.below(40)}.html"


def search(draws: Draws, _: str) -> str:
    """Return a search for a word of the topic and another."""
    return f"http://www.{OWN}one.example/search?q={WORD}+{_slug(draws)}"


def searches(draws: Draws, source: str) -> str:
    """Return such a search on any of 50 domains."""
    return search(draws, source).replace(f"{OWN}one", f"{OWN}{draws.below(DOMAINS)}")


#: Stands for a word of the topic in an address.
WORD = "WORD"

ATTACKS = {
    "farm": Attack(one_host),
    "farm-echo": Attack(one_host, text="echo"),
    "farm-half": Attack(one_host, text="half"),
    "huge": Attack(one_host, links=20_000),
    "comments": Attack(one_host, comments=200, commented=0.3, only_relevant=True),
    "names": Attack(names),
    "any-name": Attack(any_name),
    "homes": Attack(homes),
    "domains": Attack(domains),
    "domains-echo": Attack(domains, text="echo"),
    "any-domain": Attack(any_domain),
    "any-domain-echo": Attack(any_domain, text="echo"),
    "calendar": Attack(calendar, text="few"),
    "facets": Attack(facets, text="few"),
    "session": Attack(session, text="few"),
    "growing": Attack(growing, text="echo"),
    "search": Attack(search, text="results"),
    "searches": Attack(searches, text="results"),
    "redirects": Attack(one_host, hops=3),
    "filed": Attack(one_host, filed=True),
    "filed-domains": Attack(domains, filed=True),
    "filed-any-domain": Attack(any_domain, filed=True),
    "filed-echo": Attack(one_host, text="echo", filed=True),
    "misnamed": Attack(one_host, comments=0, misnamed=0.5),
    "misfiled": Attack(one_host, comments=0, misfiled=0.03),
    "dead": Attack(one_host, dead=True),
    "dead-domains": Attack(any_domain, dead=True),
}  # fmt: skip


class LuredWeb:
    """A genuine web with comments that link to an attacker's pages, which are made when they are asked for."""

    def __init__(self, web: Web, topic: WebTopic, attack: Attack) -> None:
        self.name, self.language, self.topics = web.name, web.language, web.topics
        self._web, self._topic, self._attack = web, topic, attack
        self._seed = int(web.name.rpartition(":")[2])

    def __len__(self) -> int:
        """Number of genuine pages."""
        return len(self._web)

    def urls(self) -> Iterator[str]:
        """Return the genuine pages."""
        return self._web.urls()

    def close(self) -> None:
        """Close the genuine web."""
        self._web.close()

    def get(self, url: str) -> StoredPage | None:
        """Return a genuine page with its comments, or one of the attacker's."""
        if is_lure(url):
            return None if self._attack.dead else self._lure(url)
        page = self._web.get(url)
        if page is not None and self._misplaced(url):
            page = replace(page, body=self._filed(url) + page.body)
        return page and self._commented(page)

    def _misplaced(self, url: str) -> bool:
        site = registered_domain(urlsplit(url).hostname or "")
        off = _is_article(url) and url not in self._topic.relevant
        return Draws(self._seed, "site", site).chance(self._attack.misnamed) or (
            off and Draws(self._seed, "file", url).chance(self._attack.misfiled)
        )

    def _filed(self, url: str) -> bytes:
        """Return a breadcrumb and a menu that name a keyword as the channel of a page."""
        site = urlsplit(url)
        word = escape(Draws(self._seed, "channel", site.hostname or "").pick(self._topic.keywords))
        folder = f"{site.scheme}://{site.hostname}{site.path.rpartition('/')[0]}/"
        html = (
            f'<div class="nav"><a href="{escape(folder)}">{word}</a></div>'
            f'<div class="breadcrumb">首页 &gt; {word} &gt; 正文</div>'
        )
        return html.encode("ascii", "xmlcharrefreplace")  # Pages have different encodings.

    def _commented(self, page: StoredPage) -> StoredPage:
        attack, draws = self._attack, Draws(self._seed, "comments", page.url)
        wanted = page.url in self._topic.relevant or not attack.only_relevant
        if not (draws.chance(attack.commented) and _is_article(page.url) and wanted):
            return page
        return replace(page, body=page.body + self._links(draws, attack.comments, "").encode())

    def _links(self, draws: Draws, count: int, source: str) -> str:
        return f"<ul>{''.join(self._link(draws, source) for _ in range(count))}</ul>"

    def _link(self, draws: Draws, source: str) -> str:
        word = draws.pick(self._topic.keywords)
        url = self._attack.address(draws, source).replace(WORD, quote(word))
        return f'<li><a href="{escape(url)}">{escape(self._headline(word, draws))}</a></li>'

    def _headline(self, word: str, draws: Draws) -> str:
        title = story_title(self._seed, self._topic.name, f"{OWN}{draws.below(1 << 30)}")
        return f"{word}：{title}"

    def _lure(self, url: str) -> StoredPage:
        attack, draws = self._attack, Draws(self._seed, OWN, url)
        base, _, query = url.partition("?hop=")
        if (hop := int(query or 0)) < attack.hops:
            return StoredPage(url, b"", status=302, location=f"{base}?hop={hop + 1}")
        title, texts = self._text(url, draws)
        body = "".join(f"<p>{escape(text)}</p>" for text in texts)
        filed = self._filed(url).decode() if attack.filed else ""
        html = (
            f'<html><head><meta charset="utf-8"><title>{escape(title)}</title></head><body>{filed}'
            f"<h1>{escape(title)}</h1><div>{body}</div>{self._links(draws, attack.links, url)}"
            "</body></html>"
        )
        return StoredPage(url, html.encode(), "text/html; charset=utf-8")

    def _text(self, url: str, draws: Draws) -> tuple[str, Sequence[str]]:
        kind, word = self._attack.text, draws.pick(self._topic.keywords)
        if kind == "results":
            return f"“{word}”的搜索结果", (f"没有找到与“{word}”相关的内容。大家都在搜：",)
        key = f"{OWN} {draws.below(FEW)}" if kind == "few" else f"{OWN} {url}"
        on_topic = kind == "half" and draws.chance(0.5)
        story = compose(self._seed, self._topic.name if on_topic else "local", key)
        named = kind in ("echo", "few")
        return self._headline(word, draws) if named else story.title, story.paragraphs


def _is_article(url: str) -> bool:
    return url.endswith(".html") and "/list_" not in url


def is_lure(url: str) -> bool:
    """Return whether an address is the attacker's."""
    return registered_domain(urlsplit(url).hostname or "").startswith(OWN)
