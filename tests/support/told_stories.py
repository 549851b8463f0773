"""A small store with stories: copies that name their sources, and events with times, places and names."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from topiccrawl.dedup.titles import content_hash
from topiccrawl.store.contract import PageRecord

TOPIC = "侨情"
DAY = datetime(2026, 3, 3, 1, 0, tzinfo=UTC)
CONGRESS = (
    "世界华商大会2日在吉隆坡开幕，来自30个国家和地区的代表出席。马来西亚中华总商会会长林国明致开幕词。"
    "大会由马来西亚中华总商会主办，为期三天。林国明表示，希望与各地侨商加强合作，共同发展。"
)
QUAKE = (
    "中国地震台网正式测定：3月1日21时在四川泸定发生4.8级地震，震源深度10公里。成都震感明显。"
    "泸定县侨联主席王建华表示，当地归侨侨眷暂无伤亡。救援队伍已经赶赴现场。"
)
#: Name, hours after ``DAY``, outlet that it names as its source.
CONGRESS_PAGES = (
    ("zhongxin", "中新网", 0, ""),
    ("qiaowang", "中国侨网", 2, "中新网"),
    ("guilin", "桂林日报", 5, "中国侨网"),
    ("nanning", "南宁晚报", 26, "中新网"),
    ("quanzhou", "泉州侨报", 30, "人民日报"),
)


def page(host: str, name: str, title: str, body: str, hours: float, **changes: Any) -> PageRecord:
    """A page of an outlet."""
    at = DAY + timedelta(hours=hours)
    url = f"http://www.{host}.example/{content_hash(title)[:6]}.html"
    values: dict[str, Any] = {
        "topic": TOPIC, "url": url, "final_url": url, "site": f"www.{host}.example", "site_name": name, "title": title,
        "body": body, "content_hash": content_hash(body), "fetched_at": DAY + timedelta(days=3), "published_at": at,
        "run_id": "run-1", "keywords": ["华侨"],
    }  # fmt: skip
    return PageRecord(**(values | changes))


def told() -> list[PageRecord]:
    """The pages: a story with four copies, one with a single page, and a second story of the first event."""
    title = "世界华商大会在吉隆坡开幕"
    first = page("zhongxin", "中新网", title, CONGRESS, 0, story="a" * 16)
    pages = [first]
    for host, name, hours, source in CONGRESS_PAGES[1:]:
        pages.append(
            page(host, name, title, CONGRESS, hours, source=source, story="a" * 16,
                 copy_of=first.url, relation="reprint")
        )  # fmt: skip
    pages.append(page("zhongxin", "中新网", "四川泸定发生4.8级地震", QUAKE, 4))
    pages.append(
        page("qiaowang", "中国侨网", "吉隆坡世界华商大会签署合作协议",
             "世界华商大会3日在吉隆坡签署多项合作协议。马来西亚中华总商会会长林国明出席签字仪式。"
             "华商大会的代表参观了当地企业。", 20)
    )  # fmt: skip
    return pages
