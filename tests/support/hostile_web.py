"""The worst pages of the demonstration web, by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from topiccrawl.demo import DemoWeb


@cache
def hostile_web() -> DemoWeb:
    """The web; the slow page answers at once, since nothing here is about waiting."""
    return DemoWeb(seed=7, size=300, slow_seconds=0.0)


def hostile_seeds(web: DemoWeb) -> Mapping[str, str]:
    """URLs of bad pages by name, and of a good hidden site whose header states a false charset."""
    flaky = next(
        url
        for url in web.pages(["article"])
        if "zonghe-shibao" in url and (answer := web.answer(url)) and answer.status == 503
    )
    return {
        "huge": web.huge_url,
        "blank": "http://www.huaqiaocheng-loupan.example/blank.html",
        "binary": "http://bbs.linjiang.example/files/report.html",
        "deep": "http://tech.xinzhi.example/deep.html",
        "loop": "http://tech.xinzhi.example/goto/loop?n=0",
        "chain": "http://news.haibin.example/old/3000001.html",
        "calendar": "http://www.caijing-zhoukan.example/calendar?y=2024&m=6",
        "repeat": "http://sports.qiusai.example/photo/",
        "missing": "http://www.haibin.example/nothing.html",
        "error": "http://www.haibin.example/error.html",
        "flaky": flaky,
        "forbidden": "http://bbs.linjiang.example/member/5.html",
        "unknown-host": "http://nowhere.invalid/",
        "https": "https://www.haibin.example/",
        "false-header": "http://qiaolian.gangwan.example/",
    }
