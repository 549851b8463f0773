"""What of a body counts as a change, and what does not."""

from __future__ import annotations

import pytest

from topiccrawl.freshness.texts import body_digest, content_lines, links_digest

TEXT = "市侨联昨日召开座谈会，归侨侨眷代表围绕华文教育提出意见。\n会议由主席主持，有120人参加。"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("阅读：1,024 次", "阅读：1,031 次"),
        ("浏览次数：55", "浏览次数：60"),
        ("(阅读 9.8万)", "(阅读 10万+)"),
        ("来源：新华网　点击数：9", "来源：新华网　点击数：12"),
        ("12 comments", "1,204 comments"),
        ("Views: 9 | Likes: 2", "Views: 10 | Likes: 3"),
        ("今天是2026年11月23日 星期一", "今天是2026年11月24日 星期二"),
        ("北京时间 2026-11-23 08:00:12", "北京时间 2026-11-24 09:10:00"),
        ("Monday, November 23, 2026", "Tuesday, November 24, 2026"),
        ("小编 3小时前 发布", "小编 5小时前 发布"),
        ("【广告】夏季优惠", "【广告】秋季家电节"),
        ("广告：夏季优惠", "广告：家电节"),
        ("0人点赞 收藏 4", "3人点赞 收藏 9"),
        ("點閱數：123 瀏覽人次：55", "點閱數：130 瀏覽人次：61"),
        ("人气指数 32", "人气指数 35"),
        ("您是第 123456 位访客", "您是第 123460 位访客"),
        ("更新时间：2026-11-23 10:20:30", "更新时间：2026-11-24 10:25:00"),
        ("阅读量\n1.2万", "阅读量\n1.3万"),
        ("120\n评论", "124\n评论"),
    ],
)
def test_what_differs_at_every_visit_is_no_change(before: str, after: str) -> None:
    for text in (f"{before}\n{TEXT}", f"{TEXT}\n{before}"):
        assert body_digest(text) == body_digest(text.replace(before, after))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("有120人参加。", "有130人参加。"),
        ("代表围绕华文教育", "代表围绕侨乡建设"),
        ("第1名 89分", "第1名 91分"),
        ("侨汇收入\n2025\n182.5\n3%", "侨汇收入\n2025\n182.7\n3%"),
        ("年份\n2024\n91", "年份\n2024\n91\n2025\n93"),
        ("01 05 12 22 30", "01 05 12 22 33"),
        ("物理\n85分", "物理\n95分"),
        ("汇率 7.12", "汇率 7.15"),
        ("该视频的播放量达到100万次，创下纪录。", "该视频的播放量达到120万次，创下纪录。"),
        ("更正：会议改在下月。", ""),
        ("附件：报名表2024.doc", "附件：报名表2025.doc"),
        ("报名截止：3月1日", "报名截止：3月9日"),
    ],
)
def test_what_the_text_says_is_a_change(before: str, after: str) -> None:
    text = f"{TEXT}\n{before}"
    assert body_digest(text) != body_digest(text.replace(before, after))


def test_spaces_and_widths_of_characters_are_no_change() -> None:
    assert body_digest("ＡＢＣ　１２３ 侨联\n\n完") == body_digest("ABC 123侨联\n完")
    assert list(content_lines("")) == []


def test_the_order_of_links_is_no_change() -> None:
    assert links_digest(["b", "a", "a"]) == links_digest(["a", "b"]) != links_digest(["a"])
