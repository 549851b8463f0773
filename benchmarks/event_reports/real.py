"""Annotations of real pages: the day and the place of what their lead reports.

The pages are those of the extraction benchmark and are not part of the project: without them, nothing is
measured.  Annotated on 2026-11-23 from title, lead and publish time, before any rule was written; pages without
a datable event were left out.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Final

from benchmarks.event_reports.template import Report
from topiccrawl.page.dates import CHINA_TIME

#: Page, day, accepted places ("" for none).
ANNOTATED: Final = """\
fu_people 2024-04-24 -
gne_baijiahao_2 2019-09-30 日本
gne_csdn 2014-08-22 北京|北京鸟巢
gne_gsc 2019-05-10 重庆|重庆市
gne_ifeng_1 2019-11-22 禹州市|禹州|许昌禹州市|河南许昌禹州市|许昌
gne_ifeng_ent 2019-09-06 -
gne_shanxi 2019-09-16 圣保罗|巴西圣保罗
gne_sina_2 2018-12-28 -
gne_sina_4 2019-09-11 -
gne_sina_5 2019-10-23 西贡|香港|西贡壁屋
gne_zsnews 2019-02-27 佛山|顺德|顺德区|佛山顺德区|中山
gne_zyyfy 2019-10-30 -
goose_cna 2023-02-21 台北|台湾
gz_ksina 2025-04-22 美国
gz_sina 2025-04-22 美国
hd_sinatw 2020-01-21 -
hd_sohu 2023-11-02 北京
im_064b591b 2005-07-30 长春市|长春
im_33a95b71 2005-03-10 南昌市|南昌|江西省南昌市|江西南昌
im_500b350d 2022-02-11 巴彦淖尔市|巴彦淖尔
im_6650f72a 2004-08-29 巴黎
im_7c6d2080 2004-07-10 -
im_91bdf33e 2022-01-20 洛阳
im_f51248cc 2022-02-12 上海
mh_a_0d18823b 2024-05-20 阿图什市|阿图什|克孜勒苏州|新疆克孜勒苏州阿图什市|克孜勒苏州阿图什市
mh_a_1b929fec 2024-05-16 无锡|无锡市|江苏省无锡市|江苏无锡
mh_a_1e20e027 2024-05-09 -
mh_a_42076fe0 2016-05-25 -
mh_a_4e55eac4 2023-11-30 上海
mh_a_6558a82c 2024-05-20 -
mh_a_8f8e788c 2022-06-01 -
mh_a_9a0e481a 2024-05-20 -
mh_f_a4c329f2 2024-04-03 花莲县|花莲|台湾花莲县|台湾花莲
np_article 2012-12-10 香港
im_d8d4c4ec 2020-11-18 冠县|聊城市|聊城|山东聊城市|山东聊城
gz_ifeng_1 2025-04-22 -
im_b26fbb82 2022-02-11 南京|江苏
"""


def real_reports(data: Path) -> list[Report]:
    """Return the annotated pages; none if *data* is not there."""
    found = []
    for line in ANNOTATED.splitlines():
        page, day, places = line.split()
        file = data / f"{page}.json"
        if not file.is_file():
            continue
        stored = json.loads(file.read_text(encoding="utf-8"))
        at = datetime.fromisoformat(stored["time"].replace(" 5:", " 05:"))
        if len(stored["time"]) == 10:
            at = at.replace(hour=12)
        found.append(
            Report(
                template=page,
                title=(stored["title"] or [""])[0],
                text=stored["body"],
                published=at.replace(tzinfo=CHINA_TIME),
                day=day,
                places=frozenset(() if places == "-" else places.split("|")),
            )
        )
    return found
