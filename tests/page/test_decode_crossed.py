"""Real kinds of text crossed with every declaration and encoding: the decoded text is exact.

The generator is seeded; a few hundred pages run by default, all of them with
``TOPICCRAWL_DECODE_PAGES=12000``.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from topiccrawl.page.decoding import decode
from topiccrawl.page.decoding.encodings import encoding_of_label

PAGES = int(os.environ.get("TOPICCRAWL_DECODE_PAGES", "1200"))
#: Least share of exact pages.
EXACT = 0.999

SIMPLIFIED = [
    "本网讯：来自四十多个国家的侨商代表昨日抵达江门，参加为期三天的交流会，并参观了侨批档案馆。",
    "市侨联负责人介绍说，去年全市接待归国寻根的海外乡亲2,300余人次，比上一年增长了18.6%。",
    "“老屋修好了，家就还在。”八十三岁的归侨陈伯一边倒茶一边笑着说，眼里闪着泪光……",
    "记者从气象台获悉，受强冷空气影响，明后两天我省大部分地区气温将下降6℃至8℃，局部有暴雨。",
    "这家图书馆收藏了早期侨批三万多封，最早的写于一八八六年，纸张已经发黄，字迹依然清晰。",
    "会议指出，要深入学习贯彻有关精神，切实做好新形势下的侨务工作，维护归侨侨眷的合法权益。",
    "据介绍，该项目总投资约12.5亿元人民币，预计2026年底建成投产，可提供就业岗位1200个。",
    "我小时候住在外婆家，门前有一条小河，夏天的傍晚，大人们摇着蒲扇在榕树下讲古。",
    "编者按：本文作者系旅居加拿大的华文作家，现任某华文报纸副刊主编，著有散文集《远方的灯》。",
    "首页 | 要闻 | 侨界 | 图片 | 视频 | 关于我们 | 联系方式 | 网站地图",
    "上一篇：广东侨乡碉楼群启动修缮工程　下一篇：海外华文学校联盟在京成立",
    "镕、喆、堃、珺、昇、淼等字在旧的字符集里没有，姓名里却很常见：朱镕基、陶喆、游堃。",
    "用 Python 3.11 写一个爬虫：先安装 Scrapy，再执行 scrapy startproject demo，然后编辑 items.py。",
    "联系电话：0750-3500000，传真：0750-3500001，邮编：529000，E-mail：qb@example.com",
    "楼主说得对，顶一个！沙发被抢了，板凳也没了，只好坐地板。哈哈哈～",
    "价格：￥1,299.00（原价￥1,599.00），库存：充足，颜色：黑色、白色、银色。",
]
TRADITIONAL = [
    "本報訊：來自四十多個國家的僑商代表昨日抵達臺北，參加為期三天的交流會，並參觀了僑務檔案館。",
    "僑務委員會表示，去年接待回國尋根的海外鄉親二千三百餘人次，較前年增加百分之十八點六。",
    "「老屋修好了，家就還在。」八十三歲的陳伯一邊倒茶一邊笑著說，眼裡閃著淚光。",
    "氣象局指出，受強烈冷氣團影響，明後兩天北部地區氣溫將下降六至八度，局部地區有豪雨。",
    "這家圖書館收藏了早期僑批三萬多封，最早的寫於一八八六年，紙張已經發黃，字跡依然清晰。",
    "首頁 | 要聞 | 僑界 | 圖片 | 影音 | 關於我們 | 聯絡方式 | 網站地圖",
    "記者林小明／臺北報導：為協助中小企業轉型，經濟部昨天宣布將提供十二億元的低利貸款。",
    "我小時候住在外婆家，門前有一條小河，夏天的傍晚，大人們搖著扇子在榕樹下講古。",
    "使用 Windows 10 的讀者請先下載驅動程式，解壓縮後執行 setup.exe，再依畫面指示操作即可。",
    "客服專線：02-2345-6789，服務時間：週一至週五 09:00～18:00，例假日休息。",
    "上一則：立法院三讀通過修正案　下一則：故宮特展今起開放線上預約",
    "網友回應：說得真好！推一個，希望政府能聽見基層的聲音。",
]
FOUR_BYTES = ["㐂", "𠀀", "𡃁", "㙍", "𤭢", "🐉", "ǿ"]
CODE = [
    "for (int i = 0; i < n; i++) { /* 循环 */ sum += a[i]; }",
    "def main():\n    print('你好')  # 输出",
    "SELECT name FROM users WHERE city = '江门' ORDER BY id;",
]
ENCODINGS = ("utf-8", "gbk", "gb18030", "big5", "utf-16-le", "utf-16-be")
CONDITIONS = (
    "right header", "right meta", "none", "false header", "false meta", "truncated", "mixed", "mark",
)  # fmt: skip
LABELS = ("utf-8", "gbk", "gb2312", "big5", "iso-8859-1", "windows-1252", "shift_jis", "euc-kr",
          "windows-1251", "utf-16", "us-ascii", "x-none")  # fmt: skip
#: What servers call Big5 is Windows' code page 950.
CODECS = {"big5": "cp950"}
#: Encodings in which pages are mixed of pieces; two-byte units cannot be mixed.
SECOND = {"utf-8": "gbk", "gbk": "utf-8", "gb18030": "utf-8", "big5": "utf-8"}
LENGTHS = (1, 1, 2, 3, 5, 8, 16, 40)


def paragraphs(chance: random.Random, encoding: str, traditional: bool) -> list[str]:
    pool = TRADITIONAL if traditional else SIMPLIFIED
    out = []
    for _ in range(chance.choice(LENGTHS)):
        text = chance.choice(pool)
        kind = chance.random()
        if kind < 0.1 and not traditional:
            text += chance.choice(CODE)
        elif kind < 0.3:
            text = text[: chance.randrange(6, len(text))]
        if encoding == "gb18030":
            text += chance.choice(FOUR_BYTES)
        out.append(text)
    return out


def page(texts: list[str], charset: str | None, chance: random.Random) -> str:
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={charset}">'
    if charset and chance.random() < 0.5:
        meta = f'<meta charset="{charset}">'
    parts = [f"<html><head>{meta if charset else ''}<title>{texts[0][:12]}</title></head><body>"]
    for i, text in enumerate(texts):
        parts.append(
            chance.choice(
                [
                    f'<p class="c">{text}</p>\n',
                    f'<a href="/a/{i}.html">{text}</a>\n',
                    f"{text}<br>\n",
                ]
            )
        )
    return "".join(parts) + "</body></html>"


def one(chance: random.Random, encoding: str, condition: str) -> tuple[bytes, str | None, str]:
    """A page's bytes, its header's charset and its true text."""
    traditional = encoding == "big5" or (encoding != "gbk" and chance.random() < 0.4)
    texts = paragraphs(chance, encoding, traditional)
    wrong = chance.choice(
        [name for name in LABELS if encoding_of_label(name) != encoding_of_label(encoding)]
    )
    header = {"right header": encoding, "false header": wrong}.get(condition)
    meta = {"right meta": encoding, "false meta": wrong}.get(condition)
    text = page(texts, meta, chance)
    codec = CODECS.get(encoding, encoding)
    body = text.encode(codec)
    if condition == "truncated":
        body = body[: chance.randrange(len(body) * 2 // 3, len(body))]
        text = body.decode(codec, "ignore")
        header = chance.choice([encoding, None])
    elif condition == "mark":
        body = "\ufeff".encode(encoding) + body
        header = chance.choice([None, wrong])
    elif condition == "mixed":
        second = SECOND[encoding]
        pool = TRADITIONAL if traditional and second != "gbk" else SIMPLIFIED
        insert = f"<div>{chance.choice(pool)}</div>\n" * chance.choice([1, 1, 2])
        body = body.replace(b"</body>", insert.encode(second) + b"</body>")
        text = text.replace("</body>", insert + "</body>")
        header = chance.choice([encoding, None])
    return body, header, text


def cases(count: int) -> list[tuple[str, str, int]]:
    pairs = [
        (encoding, condition)
        for encoding in ENCODINGS
        for condition in CONDITIONS
        # The older Chinese encodings have no mark; two-byte units no second encoding.
        if not (condition == "mark" and encoding in {"gbk", "big5"})
        and not (condition == "mixed" and encoding not in SECOND)
    ]
    return [(*pair, number) for number in range(count // len(pairs) + 1) for pair in pairs]


@pytest.mark.parametrize("part", range(4))
def test_nearly_every_page_is_exact_whatever_is_declared(part: int) -> None:
    wrong: Counter[tuple[str, str]] = Counter()
    all_cases = cases(PAGES)[part::4]
    first = ""
    for encoding, condition, number in all_cases:
        chance = random.Random(f"{encoding} {condition} {number}")
        body, header, text = one(chance, encoding, condition)
        found = decode(body, header)
        if found.text != text:
            wrong[encoding, condition] += 1
            first = first or f"{encoding}, {condition}, {number}: read as {found.encoding}"
    assert sum(wrong.values()) <= (1 - EXACT) * len(all_cases), f"{first}; {dict(wrong)}"
