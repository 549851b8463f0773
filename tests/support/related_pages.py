"""Pages whose texts have something to do with each other, and others."""

from __future__ import annotations

from topiccrawl.dedup.compared import ComparedPage, RelationKind
from topiccrawl.dedup.relation import relate

TITLE = "全省侨务工作会议在福州召开 部署全年重点任务"
LINES = [
    "全省侨务工作会议3月12日在福州召开，来自各地的代表320人参加了会议。",
    "会议总结了过去一年的侨务工作，分析了当前面临的形势，部署了今后一个时期的重点任务。",
    "会议指出，要坚持为侨服务的宗旨，主动回应侨胞关切，帮助归侨侨眷解决就业和养老方面的困难。",
    "去年全省共接待海外侨胞来访1860人次，引进侨资项目45个，总投资72亿元。",
    "各地还结合实际举办了寻根之旅夏令营，吸引了来自23个国家的华裔青少年参加。",
    "与会代表围绕侨乡文化保护、海外华文教育和涉侨法律服务展开了热烈讨论。",
    "来自泉州的代表介绍了当地修缮华侨古厝的经验，目前已有16处建筑对公众开放。",
    "会议要求，各级部门要加强统筹协调，把各项惠侨政策落到实处，年底前对落实情况进行检查。",
]
OTHER_LINES = [
    "昨夜的大雨使城区多条道路积水，交警部门连夜疏导交通，没有人员伤亡。",
    "气象专家分析，这次降水过程是冷暖空气交汇造成的，未来三天仍有阵雨。",
    "市排水公司出动抢险车辆，对低洼路段进行抽水作业，凌晨前积水基本排除。",
    "园林部门清理倒伏树木，供电公司抢修受损线路，居民生活已经恢复正常。",
    "教育部门提醒家长注意接送安全，部分学校推迟了到校时间。",
    "水库管理单位加强巡查，按照调度指令有序泄洪，下游水位总体平稳。",
    "商务部门表示，市场供应充足，蔬菜价格没有明显波动，请市民不要囤积。",
    "志愿者在社区帮助老人搬运物品，街道办事处安排了临时休息场所。",
]
MUSEUM_LINES = [
    "博物馆新馆下月开放，展出馆藏青铜器、瓷器和书画共四百余件，观众可免费预约参观。",
    "讲解员介绍，镇馆之宝是一件商代的提梁卣，出土于三十年前的一次道路施工。",
    "新馆的地下一层设有儿童体验区，孩子们可以在那里学习拓印和修复陶片。",
    "馆方计划每个季度更换一次临时展览，首个临时展览的主题是海上丝绸之路。",
]
BODY = "\n".join(LINES)


def page(
    title: str = TITLE, body: str = BODY, url: str = "http://a.cn/1", **more: str
) -> ComparedPage:
    """A page of the first site."""
    return ComparedPage(url=url, title=title, body=body, **more)


def kind(first: ComparedPage, second: ComparedPage) -> RelationKind:
    """What the first page is to the second one."""
    return relate(first, second).kind


def other(title: str = TITLE, body: str = BODY) -> ComparedPage:
    """A page of another site."""
    return page(title, body, "http://b.cn/news/77.html", site="b.cn")
