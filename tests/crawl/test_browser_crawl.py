"""Pages that only a browser shows, in a real Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.chromium import CHROMIUM, SETTINGS, kill_browsers, needs_chromium
from tests.support.loopback_sites import Answer, Crawl, article, crawl, redirect, serving
from tests.support.script_web import ScriptWeb, served, text, title
from tests.support.small_web import ON_TOPIC

pytestmark = [pytest.mark.slow, needs_chromium]

BROWSER = ("-a", "browser=1")


def browsed(folder: Path, *seeds: str, **settings: object) -> Crawl:
    """Crawl with the browser; only 127.0.0.5 may be contacted."""
    allowed = {"TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED": "127.0.0.5/32", "STATS_DUMP": 1}
    return crawl(folder, seeds, arguments=BROWSER, **{**SETTINGS, **allowed, **settings})


def number(done: Crawl, name: str) -> int:
    """A statistic of the crawl."""
    lines = done.lines(f"'topiccrawl/{name}'")
    assert done.lines("Dumping Scrapy stats")
    return int(lines[-1].rpartition(": ")[2].rstrip(",}")) if lines else 0


def shell(script: str, title: str = "应用") -> Answer:
    """A page whose content a script puts in."""
    return Answer(
        f"<html><head><meta charset=utf-8><title>{title}</title></head><body><div id=app></div>"
        f"<script>{script}</script></body></html>".encode()
    )


def shows(name: str) -> str:
    """A script that shows a page that is stored."""
    return f"document.title = '{name}'; app.innerHTML = '<h1>{name}</h1><p>{name}。{ON_TOPIC}</p>';"


def test_the_pages_that_need_a_browser_are_found_without_loading_others(tmp_path: Path) -> None:
    web = ScriptWeb()
    with serving(lambda path: served(web, path), "127.0.0.5") as site:
        done = browsed(tmp_path, f"{site.url}/")
    found = {page.title for page in done.pages}
    assert [n for n in web.needing if title(n) not in found] == []
    assert [n for n in web.plain if title(n) not in found] == []
    assert len(web.needing) <= number(done, "browser/pages") <= len(web.needing) * 1.1
    # Each page was fetched once, and the script of all pages of an application once.
    assert web.asked["/react/80"] == 1
    assert web.asked["/static/react.js"] <= 2
    routes = [page for page in done.pages if "/hash/" in page.url]
    assert {page.final_url.partition("#")[2] for page in routes} == {
        f"/article/{n}" for n in web.needing[16:]
    }
    assert all(text(n)[:40] in done_body(done, n) for n in web.needing)


def done_body(done: Crawl, n: int) -> str:
    """The stored body of article *n*."""
    return next(page.body for page in done.pages if page.title == title(n)) or ""


#: What a page can try to reach another address by.
ATTACKS = """
const u = '%(url)s';
const go = [
  () => fetch(u + '/fetch'), () => fetch(u + '/cors', {mode: 'no-cors'}),
  () => fetch('/redirect'), () => { new Image().src = u + '/image'; },
  () => navigator.sendBeacon(u + '/beacon', 'x'),
  () => new WebSocket(u.replace('http', 'ws') + '/socket'), () => new EventSource(u + '/events'),
  () => window.open(u + '/popup'), () => navigator.serviceWorker.register('/worker.js'),
  () => { const f = document.createElement('iframe'); f.src = u + '/frame'; document.body.append(f); },
  () => { const f = document.createElement('iframe'); f.src = 'file:///etc/passwd'; document.body.append(f); },
  () => fetch('file:///etc/passwd').then(r => r.text()).then(t => { document.title = t; }),
  () => { for (const rel of ['preconnect', 'prefetch', 'dns-prefetch', 'modulepreload', 'stylesheet']) {
            const l = document.createElement('link'); l.rel = rel; l.href = u + '/' + rel; document.head.append(l); } },
  () => { const s = document.createElement('script'); s.src = u + '/script.js'; document.head.append(s); },
  () => new Worker(URL.createObjectURL(new Blob(["fetch('" + u + "/worker'); importScripts('" + u + "/w.js')"]))),
  () => { const p = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.9:%(port)d'}]});
          p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o)); },
  () => { const f = document.createElement('form'); f.action = u + '/form'; f.method = 'post';
          document.body.append(f); f.submit(); },
  () => setTimeout(() => { location.href = u + '/navigation'; }, 50),
];
for (const each of go) { try { const r = each(); if (r && r.catch) r.catch(() => 0); } catch (e) {} }
"""


def test_no_script_reaches_a_private_address_or_a_file(tmp_path: Path) -> None:
    inside = serving({}, "127.0.0.9")
    with inside as private:
        attack = ATTACKS % {"url": private.url, "port": private.port}
        answers = {
            "/": article("首页", "/attack.html", "/after.html"),
            "/attack.html": shell(f"{shows('攻击')} {attack}"),
            "/redirect": redirect(f"{private.url}/redirected"),
            "/worker.js": Answer(b"fetch('/x')", headers={"Content-Type": "text/javascript"}),
            "/after.html": shell(f"/* another */ {shows('之后')}"),
        }
        with serving(answers, "127.0.0.5") as site:
            done = browsed(tmp_path, f"{site.url}/")
            assert done.titles == {"首页", "攻击", "之后"}
            assert "/redirect" in site.asked, "the script did not run"
            assert "/x" not in site.asked
        assert private.connections == []
    assert all("root:" not in page.title for page in done.pages)


def test_a_browser_that_is_killed_or_hangs_loses_no_page(tmp_path: Path) -> None:
    killed: list[int] = []

    def answer(path: str) -> Answer:
        if path == "/":
            pages = [f"/app/{n}.html" for n in range(6)]
            return article("首页", *pages, "/spin.html")
        if path.startswith("/app/"):
            name = f"第{path[5]}页" * 3
            return shell(f"fetch('/api').then(r => r.text()).then(t => {{ {shows(name)} }})")
        if path == "/spin.html":
            return shell("while (true) {}", "死循环")
        if path == "/api" and len(killed) < 2:
            killed.append(kill_browsers())
        return Answer(b"ok", headers={"Content-Type": "text/plain"})

    with serving(answer, "127.0.0.5") as site:
        done = browsed(tmp_path, f"{site.url}/", TOPICCRAWL_BROWSER_SECONDS=8)
    assert sum(killed) >= 1
    assert done.code == 0
    # One that has never shown anything was tried again, and waits for another run.
    spun = next(it for url, it in done.outcomes.items() if url.endswith("/spin.html"))
    assert (spun.verdict, spun.reason) == ("failed", "browser")
    apps = [it for url, it in done.outcomes.items() if "/app/" in url]
    assert len(apps) == 6
    # Where the machine is slow, one of them may wait as well.
    waiting = [it for it in apps if (it.verdict, it.reason) == ("failed", "browser")]
    assert {it.verdict for it in apps if it not in waiting} == {"stored"}
    assert len(done.pages) == 7 - len(waiting)


def test_a_browser_that_starts_slowly_takes_no_time_from_its_first_pages(tmp_path: Path) -> None:
    slow = tmp_path / "slow-chromium"
    slow.write_text(f'#!/bin/sh\nsleep 26\nexec {CHROMIUM} "$@"\n')
    slow.chmod(0o755)
    answers = {"/": article("首页", "/app.html"), "/app.html": shell(shows("应用"))}
    with serving(answers, "127.0.0.5") as site:
        done = browsed(
            tmp_path,
            f"{site.url}/",
            TOPICCRAWL_BROWSER_EXECUTABLE=slow,
            # With the five seconds of closing, less than the browser takes to start.
            TOPICCRAWL_BROWSER_SECONDS=20,
        )
    assert done.titles == {"首页", "应用"}
    assert number(done, "browser/starts") == 1


def test_a_template_that_shows_nothing_in_a_browser_is_tried_once(tmp_path: Path) -> None:
    empty = shell("document.title = '空';")
    pages = {f"/empty/{n}.html": empty for n in range(12)}
    answers = {"/": article("首页", *pages), **pages}
    with serving(answers, "127.0.0.5") as site:
        done = browsed(tmp_path, f"{site.url}/")
        again = browsed(tmp_path, f"{site.url}/empty/99.html")
    assert number(done, "browser/pages") == 1
    assert number(again, "browser/pages") == 0


def test_without_the_option_a_shell_is_named_and_no_browser_is_started(tmp_path: Path) -> None:
    answers = {"/": article("首页", "/a.html"), "/a.html": shell(shows("应用"))}
    with serving(answers, "127.0.0.5") as site:
        done = crawl(
            tmp_path, [f"{site.url}/"], TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED="127.0.0.5/32"
        )
    assert done.titles == {"首页"}
    named = done.lines("-a browser=1")
    assert ["/a.html shows no content" in line for line in named] == [True, False]
    assert "to run the scripts" in named[1]  # in the summary


def test_the_topic_names_sites_whose_pages_are_loaded_in_the_browser(tmp_path: Path) -> None:
    # Plain text enough not to look like a shell.
    body = f"<p>{ON_TOPIC}</p><div id=app></div><script>{shows('浏览器的标题')}document.title='浏览器的标题'</script>"
    page = f"<html><head><meta charset=utf-8><title>原来的标题</title></head><body>{body}</body></html>"
    with serving({"/": Answer(page.encode())}, "127.0.0.5") as site:
        crawl(tmp_path, [f"{site.url}/none"])
        topic = tmp_path / "seeds" / "侨情" / "topic.toml"
        words = topic.read_text("utf-8")
        topic.write_text(words.replace("\n[", '\nbrowser = ["127.0.0.5"]\n\n[', 1), "utf-8")
        done = crawl(
            tmp_path,
            [f"{site.url}/"],
            **{**SETTINGS, "TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED": "127.0.0.5/32"},
        )
    assert done.titles == {"浏览器的标题"}
