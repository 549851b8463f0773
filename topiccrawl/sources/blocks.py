"""Signs that an engine answers a robot: captcha pages, refusals, garbled text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from topiccrawl.sources.engine import Engine

#: Statuses of a refusal: forbidden, too many requests, unavailable (RFC 9110, RFC 6585); 418 and 456 are
#: what some Chinese sites use for it.
BLOCK_STATUSES: Final = frozenset({403, 418, 429, 456, 503})
#: Addresses of the captcha pages of Baidu, Sogou, 360, Google and Bing.
_CAPTCHA_ADDRESS: Final = re.compile(
    r"^https?://(?:wappass\.baidu\.com|(?:www\.)?sogou\.com/antispider|(?:[\w.-]+\.)?so\.com/.{0,40}qcaptcha"
    r"|qcaptcha\.so\.com|(?:ipv[46]|www)\.google\.[a-z.]+/sorry|(?:[\w.-]+\.)?bing\.com/turing)",
    re.IGNORECASE,
)
#: Paths of captcha pages of any engine: to which it leads whom it blocks.
_CAPTCHA_PATH: Final = re.compile(
    r"^https?://[^/?#]+/[^?#]*(?:captcha|antispider|cdn-cgi/challenge|verify[-_]?(?:code|human))",
    re.IGNORECASE,
)
#: Words of captcha pages in Chinese and English.
_CAPTCHA_TEXT: Final = re.compile(
    r"安全验证|安全驗證|人机验证|人機驗證|人机身份验证|请输入验证码|請輸入驗證碼|输入图中的?字符|拖动滑块"
    r"|异常访问|访问异常|异常流量|異常流量|访问过于频繁|请求过于频繁|操作过于频繁|网络不给力，请稍后重试"
    r"|百度安全验证|为了保证您的正常访问|系统检测到您的?网络"
    r"|\bcaptcha\b|unusual traffic|are you a (?:robot|human)|not a robot|verify (?:that )?you are (?:a )?human"
    r"|too many requests|automated (?:queries|requests)|access denied",
    re.IGNORECASE,
)
#: Elements of captcha pages: forms, frames and pictures that are named so.
_CAPTCHA_MARKUP: Final = re.compile(
    r"<(?:form|iframe|img|input|script|div)\b[^>]{0,300}(?:captcha|antispider|geetest|nc_scale|vcode)",
    re.IGNORECASE,
)
_TITLE: Final = re.compile(r"<title[^>]{0,100}>(.{0,300}?)</title", re.IGNORECASE | re.DOTALL)
#: Characters of a page that are looked through: captcha pages are small, result pages large.
_LOOKED_AT: Final = 100_000
#: Share of characters that no readable text has, from which one is garbled (a guess).
_GARBLED_SHARE: Final = 0.05


def is_captcha_address(url: str, more: Iterable[str] = ()) -> bool:
    """Whether *url* is the captcha page of an engine; *more* are parts of such addresses."""
    lower = url.lower()
    return _CAPTCHA_ADDRESS.search(url) is not None or any(part.lower() in lower for part in more)


def leads_to_captcha(url: str, more: Iterable[str] = ()) -> bool:
    """Whether *url*, to which an engine has led a query, is by its looks a captcha page.

    >>> leads_to_captcha("http://s.example/Captcha?n=1")
    True
    """
    return is_captcha_address(url, more) or _CAPTCHA_PATH.search(url) is not None


def block_sign(engine: Engine, text: str, query: str, *, results: int) -> str:
    """Return the sign of a block in a page of an engine; empty without one.

    With results, only the page's title and the engine's own words count: a snippet may speak of
    captchas.  So may the query, which pages repeat.
    """
    page = text[:_LOOKED_AT].replace(query, "") if query else text[:_LOOKED_AT]
    found = _TITLE.search(page)
    title = found[1] if found else ""
    for part in engine.block_texts:
        if part in title or (not results and part in page):
            return part
    if sign := _CAPTCHA_TEXT.search(title):
        return sign[0]
    if results:
        return ""
    sign = _CAPTCHA_TEXT.search(page) or _CAPTCHA_MARKUP.search(page)
    return sign[0][:80] if sign else ""


def garbled(text: str) -> bool:
    """Whether a text was decoded wrongly, or is none at all.

    >>> garbled("èŒ¶æ–‡åŒ–çš„åŽ†å²"), garbled("茶文化的历史"), garbled("Café – menu")
    (True, False, False)
    """
    if not text:
        return False
    odd = sum(
        c == "\ufffd" or "\ue000" <= c <= "\uf8ff" or (c < " " and c not in "\t\n\r\f")
        or "\x80" <= c <= "\x9f" for c in text
    )  # fmt: skip
    return odd >= max(1.0, _GARBLED_SHARE * len(text)) or _was_utf8(text)


def _was_utf8(text: str) -> bool:
    """Whether *text* is UTF-8 that was read as a Western encoding."""
    foreign = sum(c >= "\x80" for c in text)
    if foreign < _GARBLED_SHARE * len(text) or any("\u0370" <= c <= "\u1fff" for c in text):
        return False
    for encoding in ("latin-1", "cp1252"):
        try:
            text.encode(encoding).decode("utf-8")
        except (UnicodeEncodeError, UnicodeDecodeError):
            continue
        return foreign > 1
    return False
