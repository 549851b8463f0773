"""Redirects by status, header and markup."""

from __future__ import annotations

from benchmarks.hostile.answers import http, on_topic, redirect
from benchmarks.hostile.behavior import INNER, INNER_ADDRESS, Asked, Client, behavior, raw

#: Where a redirect leads; ``{inner}`` is an address inside the network, ``{port}`` the servers' port.
TARGETS = {
    "file": "file:///etc/passwd",
    "data": "data:text/html,<h1>侨务</h1>",
    "ftp": "ftp://{inner}:{port}/侨务",
    "javascript": "javascript:alert(1)",
    "mailto": "mailto:a@b.example",
    "about": "about:blank",
    "s3": "s3://bucket/key",
    "gopher": "gopher://{inner}:{port}/_x",
    "view-source": "view-source:http://{inner}:{port}/",
    "blob": "blob:http://{inner}/1",
    "relative-nonsense": "../../../..//\\\\//%00%2e%2e/?#%",
    "backslashes": "\\\\{inner}:{port}\\x",
    "no-host": "http:///x",
    "no-scheme": "://x",
    "empty": "",
    "blank": "   ",
    "bracket": "http://[::1",
    "zone": "http://[fe80::1%25lo]:{port}/",
    "port-huge": "http://a.example:99999999/",
    "port-negative": "http://a.example:-1/",
    "port-letters": "http://a.example:http/",
    "unicode-host": "http://ａ。ｅｘａｍｐｌｅ：80/",
    "punycode": "http://xn--" + "a" * 70 + ".example/",
    "long-label": "http://" + "a" * 300 + ".example/",
    "long-host": "http://" + "a." * 5000 + "example/",
    "many-users": "http://" + "u:p@" * 1000 + "a.example/",
    "control": "http://a.example/\x01\x02\x1b[31m",
    "userinfo": "http://127.0.0.1:80@a.example/",
    "percent": "http://%61.example/%",
    "huge-url": "/" + "x" * 1_000_000,
    "huge-query": "/?" + "&".join(f"a{i}={i}" for i in range(100_000)),
    "huge-fragment": "/#" + "x" * 1_000_000,
    "inner-name": "http://{name}:{port}/",
    "inner-address": "http://{inner}:{port}/",
    "inner-decimal": "http://2135752705:{port}/",
    "inner-octal": "http://0177.0115.0.1:{port}/",
    "inner-hex": "http://0x7f.0x4d.0.1:{port}/",
    "inner-hex-whole": "http://0x7f4d0001:{port}/",
    "inner-short": "http://127.77.1:{port}/",
    "inner-full-width": "http://１２７．７７．０．１:{port}/",
    "inner-circled": "http://①②⑦.77.0.1:{port}/",
    "inner-ideographic-dots": "http://127。77。0。1:{port}/",
    "inner-soft-hyphen": "http://127.\u00ad77.0.1:{port}/",
    "inner-trailing-dot": "http://{inner}.:{port}/",
    "inner-mapped": "http://[::ffff:127.77.0.1]:{port}/",
    "inner-mapped-hex": "http://[::ffff:7f4d:1]:{port}/",
    "inner-percent": "http://%31%32%37.77.0.1:{port}/",
    "inner-userinfo": "http://www.example.com@{inner}:{port}/",
    "inner-no-scheme": "//{inner}:{port}/",
    "inner-https": "https://{inner}:{port}/",
    "inner-nat64": "http://[64:ff9b::7f4d:1]:{port}/",
    "inner-nat64-dotted": "http://[64:FF9B::127.77.0.1]:{port}/",
    "inner-6to4": "http://[2002:7f4d:1::1]:{port}/",
    "inner-compatible": "http://[::127.77.0.1]:{port}/",
    "inner-isatap": "http://[2001:db8::5efe:127.77.0.1]:{port}/",
    "inner-mapped-zone": "http://[::ffff:127.77.0.1%25lo]:{port}/",
    "inner-mapped-long": "http://[0:0:0:0:0:ffff:7f4d:0001]:{port}/",
    "inner-name-upper": "HTTP://INNER.EXAMPLE.:{port}/",
    "inner-name-full-width": "http://ｉｎｎｅｒ．ｅｘａｍｐｌｅ:{port}/",
    "inner-name-half-dot": "http://inner｡example:{port}/",
    "inner-name-circled": "http://ⓘⓝⓝⓔⓡ。ⓔⓧⓐⓜⓟⓛⓔ:{port}/",
    "inner-name-percent": "http://inner%2Eexample:{port}/",
    "inner-name-soft": "http://in\u00adner.exam\u200bple:{port}/",
    "inner-tab": "http://127.77.0.1\t:{port}/",
    "inner-backslash": "http:\\\\{inner}:{port}\\",
    "inner-one-slash": "http:/{inner}:{port}/",
    "inner-three-slashes": "http:///{inner}:{port}/",
    "inner-no-slash": "http:{inner}:{port}/",
    "inner-odd-case": "hTtP://{inner}:{port}/",
    "inner-mixed": "http://127.0x4d.0.01:{port}/",
    "inner-overflow": "http://127.77.0.257:{port}/",
    "inner-arabic": "http://١٢٧.٧٧.٠.١:{port}/",
    "inner-secret": "http://user:geheim-7391@{inner}:{port}/",
    "inner-at-backslash": "http://a.example\\@{inner}:{port}/",
    "inner-fragment-at": "http://a.example#@{inner}:{port}/",
    "inner-comma": "http://{inner},a.example:{port}/",
    "zero": "http://0:{port}/",
    "zeros": "http://0.0.0.0:{port}/",
    "any-v6": "http://[::]:{port}/",
    "localhost": "http://localhost:{port}/",
    "localhost-dot": "http://LOCALHOST.:{port}/",
    "localhost-below": "http://x.localhost:{port}/",
    "metadata": "http://169.254.169.254/latest/meta-data/",
    "metadata-v6": "http://[fd00:ec2::254]/latest/meta-data/",
    "broadcast": "http://255.255.255.255/",
    "multicast": "http://[ff02::1]/",
    "homograph": "http://іnner.example:{port}/",
    "javascript-odd": "jAvA\tScRiPt:alert(1)",
    "data-odd": "DATA:text/html;base64,PGgxPg==",
    "file-odd": "FiLe:/etc/passwd",
    "secret": "http://user:geheim-7391@a.example:{port}/",
}  # fmt: skip


def target(key: str, port: int) -> str:
    """Return the target called *key*."""
    return TARGETS[key].format(inner=INNER_ADDRESS, name=INNER, port=port)


for _key in TARGETS:

    @raw(f"to-{_key}", f"a redirect, a refresh and a link: {_key}")
    def _to(asked: Asked, key: str = _key) -> bytes:
        where = target(key, asked.port)
        if asked.path == "/refresh":
            return http(f'<meta http-equiv="refresh" content="0; url={where}">')
        if asked.path == "/header":
            return http(on_topic("refresh"), "200 OK", f"Refresh: 0; url={where}")
        if asked.path == "/redirect":
            return redirect(where)
        links = [(where, "侨务"), ("/refresh", "侨务"), ("/header", "侨务"), ("/redirect", "侨务")]
        return http(on_topic(f"to {key}", links))


@raw("redirect-self", "a redirect to itself")
def _self(asked: Asked) -> bytes:
    return redirect(asked.path)


@raw("redirect-loop", "two addresses that lead to each other")
def _loop(asked: Asked) -> bytes:
    return redirect("/b" if asked.path == "/a" else "/a")


@raw("redirect-1000", "a chain of 1,000 redirects to a page")
def _chain(asked: Asked) -> bytes:
    step = int(asked.path[1:] or 0)
    return http(on_topic("chain")) if step == 1000 else redirect(f"/{step + 1}", "301 Moved")


@raw("redirect-endless", "every address leads to a new one")
def _endless(asked: Asked) -> bytes:
    return redirect(f"/{asked.number}x", "307 Temporary Redirect")


@raw("redirect-hosts", "every name leads to a new one on the same address")
def _hosts(asked: Asked) -> bytes:
    return redirect(asked.url("/", f"h{asked.number}.redirect-hosts.example"))


@raw("redirect-growing", "a redirect to an address twice as long")
def _growing(asked: Asked) -> bytes:
    return redirect(asked.path + "x" * (len(asked.path) + 1))


@raw("redirect-fan", "a page of 500 links that all lead to new addresses")
def _fan(asked: Asked) -> bytes:
    if asked.path != "/":
        return redirect(f"{asked.path}x")
    return http(on_topic("fan", [(f"/{i}", f"侨务{i}") for i in range(500)]))


@raw("redirect-100-locations", "100 Location headers")
def _locations(asked: Asked) -> bytes:
    return http(b"", "302 Found", *(f"Location: /{i}" for i in range(100)))


@raw("redirect-with-bomb", "a redirect with a body of 50 MB")
def _with_body(asked: Asked) -> bytes:
    return http(b"x" * 50_000_000, "302 Found", "Location: /landed")


@raw("redirect-statuses", "all statuses of redirects, one after the other")
def _statuses(asked: Asked) -> bytes:
    status = 300 + asked.number % 9
    return redirect(f"/{asked.number}", f"{status} Elsewhere")


@behavior("redirect-drip", "a redirect that comes slowly")
async def _drip(asked: Asked, client: Client) -> None:
    await client.drip(redirect(f"{asked.path}x"), 0.02)


@raw("refresh-self", "a meta refresh to itself")
def _refresh_self(asked: Asked) -> bytes:
    return http('<meta http-equiv="refresh" content="0">')


@raw("refresh-endless", "a meta refresh to a new address, for ever")
def _refresh_endless(asked: Asked) -> bytes:
    return http(f'<meta http-equiv="refresh" content="0; url=/{asked.number}">')


@raw("refresh-10000", "10,000 meta refreshes in one page")
def _refresh_many(asked: Asked) -> bytes:
    every = (f'<meta http-equiv="refresh" content="0; url=/{i}">' for i in range(10_000))
    return http("<html><head>" + "".join(every))


@raw("refresh-odd", "a meta refresh after a negative, endless time")
def _refresh_odd(asked: Asked) -> bytes:
    odd = ("-1", "1e400", "９", "9" * 10_000, ";;;url=", "0;" + " " * 1_000_000 + "url=/x", "nan")
    every = (f'<meta http-equiv="refresh" content="{content}; url=/x">' for content in odd)
    return http("".join(every) + on_topic("odd"))
