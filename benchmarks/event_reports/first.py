"""The templates that the rules were written with."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from benchmarks.event_reports.drawing import Pool
from benchmarks.event_reports.template import Template

POOL: Final = Pool(
    home=(
        ("泉州", "福建"), ("温州", "浙江"), ("江门", "广东"), ("广州", "广东"), ("昆明", "云南"), ("北京", "北京"),
        ("上海", "上海"), ("厦门", "福建"), ("南宁", "广西"), ("海口", "海南"), ("武汉", "湖北"), ("郑州", "河南"),
    ),
    abroad=(
        ("吉隆坡", "马来西亚"), ("纽约", "美国"), ("巴黎", "法国"), ("悉尼", "澳大利亚"), ("仰光", "缅甸"),
        ("曼谷", "泰国"), ("东京", "日本"), ("伦敦", "英国"), ("金边", "柬埔寨"), ("开罗", "埃及"),
    ),
    surnames="王李张刘陈杨黄赵周吴徐孙",
    given="伟芳娜敏静强磊军洋勇艳杰涛明超兰霞平刚桂华建国志",
    foreign=("约翰·史密斯", "阿卜杜拉·哈桑", "玛丽亚·冈萨雷斯", "洪森", "佩通坦"),
    organizations=(
        "{place}市侨务办公室", "{region}归国华侨联合会", "{region}华人工商联合会", "暨南大学", "{place}福建同乡会",
        "中国华侨公益基金会", "国务院侨务办公室",
    ),
    agencies=("新华社", "中新社", "中新网", "人民网", "央视新闻"),
    capitals=("北京", "上海", "广州", "香港"),
)  # fmt: skip

#: The same with places that the gazetteer does not have.
UNLISTED: Final = replace(
    POOL,
    home=(
        ("松溪县", "福建"), ("南靖县", "福建"), ("象山县", "浙江"),
        ("泾县", "安徽"), ("郯城县", "山东"), ("靖江市", "江苏"),
        ("乳源县", "广东"), ("凤冈县", "贵州"), ("双峰县", "湖南"), ("兴化市", "江苏"),
    ),
    abroad=(
        ("的里雅斯特", "意大利"), ("阿利坎特", "西班牙"),
        ("萨斯卡通", "加拿大"), ("托莱多", "美国"), ("木尔坦", "巴基斯坦"),
        ("恩德培", "乌干达"), ("巴科洛德", "菲律宾"), ("布鲁日", "比利时"), ("圣克鲁斯", "玻利维亚"),
    ),
)  # fmt: skip

TEMPLATES: Final = (
    Template(
        name="meeting", title="{p1}会见{o1}代表团", persons=("p1", "p2"), organizations=("o1",),
        text="{line}{When}，{o2}主任{p1}在{place}会见了由会长{p2}率领的{o1}代表团一行{n}人。{p1}对代表团来访表示欢迎，"
             "介绍了{past2}以来当地侨务工作情况。{p2}说，协会自{past}成立以来，一直关心家乡发展。代表团还将前往{other}参观。",
    ),
    Template(
        name="opening", title="第{m}届华商大会在{place}开幕", persons=("p1",), organizations=("o1",), ago=(0, 2),
        text="{line}第{m}届世界华商大会{when}在{Place}开幕，来自{n}个国家和地区的代表出席。{o1}会长{p1}致开幕词。"
             "本届大会为期三天，由{o1}主办，{other}代表团等参会。上一届大会于{past}在{other}举行。",
    ),
    Template(
        name="quake", title="{Place}发生{n}级地震", where="home", ago=(0, 1),
        text="中国地震台网正式测定：{When}在{Place}（北纬29.{m}度，东经102.{n}度）发生4.{n}级地震，震源深度{m}公里。"
             "{other}震感明显。{past}，当地曾发生过6.2级地震。目前暂无人员伤亡报告。",
    ),
    Template(
        name="accident", title="{place}一工厂起火致{m}人受伤", ago=(0, 2),
        text="据{place}市应急管理局通报，{When}，{Place}一家工厂发生火灾，造成{m}人受伤。消防部门接警后调派{n}人到场处置，"
             "明火于当晚扑灭。伤者已送往{other}的医院救治。事故原因正在调查中。该厂于{past}投产。",
    ),
    Template(
        name="trial", title="{p1}受贿案一审开庭", persons=("p1",), where="home", ago=(0, 3),
        text="{line}{when}，{Place}中级人民法院一审公开开庭审理了{other}原副市长{p1}受贿一案。检察院起诉指控："
             "{past}至{past2}，被告人{p1}利用担任{other}副市长等职务上的便利，为有关单位和个人谋取利益。法庭宣布择期宣判。",
    ),
    Template(
        name="obituary", title="知名侨领{p1}逝世", persons=("p1",), ago=(1, 4),
        text="{line}记者从{o1}获悉，著名侨领、{o1}名誉会长{p1}先生因病医治无效，于{When}在{place}逝世，享年{m}岁。"
             "{p1}祖籍{other}，1935年8月出生，{past}起任会长。追悼会定于{later}在{other}举行。",
    ),
    Template(
        name="visit", title="{f1}访问{place}", persons=("f1",), ago=(0, 1),
        text="{line}应邀访问的外国友人{f1}{when}抵达{place}，开始为期四天的访问。{f1}在机场发表讲话说，他对{region}的发展印象深刻。"
             "这是他继{past}之后第二次来访。访问结束后他将赴{other}出席会议。",
    ),
    Template(
        name="forum", title="海外华文教育论坛将在{place}举行", ago=(-12, -2), organizations=("o1",),
        text="{line}记者从{o1}了解到，海外华文教育论坛将于{when}在{place}举行，预计{n}名专家学者参加。"
             "论坛由{o1}主办。上届论坛{past}在{other}举行。报名截止日期为论坛开幕前一天。",
    ),
    Template(
        name="consulate", title="中国驻{place}总领馆提醒侨胞注意安全", where="abroad", ago=(0, 2),
        text="当地时间{when}，{place}市中心发生枪击事件，造成{m}人死亡。中国驻{place}总领事馆提醒当地中国公民加强防范。"
             "{past2}，{other}也曾发生类似事件。总领馆领事保护热线24小时开通。",
    ),
    Template(
        name="signing", title="{o1}与{o2}签署合作协议", organizations=("o1", "o2"), persons=("p1",),
        text="{line}{When}，{o1}与{o2}在{place}签署合作协议。{o1}负责人{p1}出席签约仪式并讲话。根据协议，双方将在"
             "{later}前完成平台建设。{past}双方曾在{other}达成意向。",
    ),
    Template(
        name="exhibition", title="侨批档案展在{place}举办", lasts=4, ago=(-1, 3),
        text="{line}{span}，“百年侨批”档案展在{place}博物馆举办，共展出{n}件珍品。展览由{o1}主办，此前已在{other}展出。"
             "据介绍，侨批{past}入选世界记忆名录。", organizations=("o1",),
    ),
    Template(
        name="typhoon", title="台风登陆{place}", where="home", ago=(0, 1),
        text="中央气象台消息，今年第{m}号台风已于{When}在{Place}沿海登陆，登陆时中心附近最大风力13级。受其影响，{other}等地"
             "有大到暴雨。当地{past2}刚刚遭受洪涝灾害。截至发稿，已转移群众{n}万人。",
    ),
    Template(
        name="election", title="{p1}当选{o1}会长", persons=("p1", "p2"), organizations=("o1",), ago=(0, 3),
        text="{line}{o1}换届大会{when}在{place}举行，{p1}当选新一届会长，{p2}任监事长。{p1}表示，将团结侨胞，服务住在国和祖（籍）国。"
             "{o1}成立于{past}，现有会员{n}人，在{other}设有分会。",
    ),
    Template(
        name="vague", title="{place}侨联走访慰问归侨", where="home", dated=False, persons=("p1",),
        text="{line}近日，{place}市侨联主席{p1}一行走访慰问归侨侨眷，送去慰问金和祝福。据了解，自{past2}以来，当地已慰问{n}户。"
             "{past}，该市侨联被评为先进集体。",
    ),
    Template(
        name="cna", title="僑委會：海外僑胞{m}萬人返台", where="home", ago=(0, 1), persons=("p1",),
        text="（中央社記者{rep}{place}{day}電）僑務委員會副委員長{p1}{when}在{place}出席活動時表示，今年已有{m}萬名僑胞返台參加活動，"
             "較{past2}成長3成。{p1}指出，未來將持續強化服務，並於{later}在{other}舉辦說明會。",
    ),
    Template(
        name="policy", title="{place}出台便利华侨措施", where="home", ago=(1, 5), organizations=(),
        text="{line}{place}市政府{when}召开新闻发布会，发布《便利华侨若干措施》，自{later}起施行。措施共{m}条，涉及子女入学、"
             "投资兴业等。记者注意到，{other}{past}曾出台类似规定。",
    ),
    Template(
        name="donation", title="{p1}向母校捐资{n}万元", persons=("p1",),
        organizations=("o1",), where="home", ago=(0, 4),
        text="祖籍{other}的旅{other_region}侨胞{p1}向{o1}捐资{n}万元，设立奖学金。{When}，捐赠仪式在{Place}举行。{p1}于{past}毕业后"
             "前往{other}创业，去年回乡投资。",
    ),
    Template(
        name="match", title="华人杯足球赛：{place}队夺冠", ago=(0, 3), organizations=("o1",),
        text="{line}由{o1}主办的华人杯足球赛{when}在{place}落幕，{other}队2比1获得亚军。比赛历时9天，共有{m}支球队参加。"
             "下届比赛将于明年在{other}举行。",
    ),
    Template(
        name="fraud", title="{place}警方破获电信诈骗案", ago=(1, 4), where="home",
        text="{line}{place}警方{when}通报，经过{n}天侦查，近日捣毁一个跨境电信诈骗团伙，抓获嫌疑人{m}名。据介绍，{past}，"
             "受害人王女士接到自称{other}公安局的电话，被骗30万元。",
    ),
    Template(
        name="column", title="{place}：老街里的南洋味道", placed=True, dated=False, where="home",
        text="走进{place}的老街，骑楼林立，咖啡飘香。今年{m}岁的归侨{p1}在这里经营一家小店。{past}，他随父母从{other}回国。"
             "如今每到周末，小店都坐满客人。", persons=("p1",),
    ),
)  # fmt: skip
