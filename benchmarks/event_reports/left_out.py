"""Templates for judging; no rule was written looking at them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from benchmarks.event_reports.drawing import Pool
from benchmarks.event_reports.template import Template

POOL: Final = Pool(
    home=(
        ("福清", "福建"), ("梅州", "广东"), ("汕头", "广东"), ("文昌", "海南"), ("腾冲", "云南"), ("哈尔滨", "黑龙江"),
        ("成都", "四川"), ("西安", "陕西"), ("大连", "辽宁"), ("义乌", "浙江"), ("天津", "天津"), ("重庆", "重庆"),
        ("青田", "浙江"), ("长沙", "湖南"),
    ),
    abroad=(
        ("雅加达", "印度尼西亚"), ("马尼拉", "菲律宾"), ("温哥华", "加拿大"), ("洛杉矶", "美国"), ("米兰", "意大利"),
        ("马德里", "西班牙"), ("内罗毕", "肯尼亚"), ("迪拜", "阿联酋"), ("首尔", "韩国"), ("墨尔本", "澳大利亚"),
        ("胡志明市", "越南"), ("万象", "老挝"), ("布达佩斯", "匈牙利"), ("约翰内斯堡", "南非"),
    ),
    surnames="郑冯何林高罗梁宋谢韩唐许邓曹彭曾",
    given="晓红玉春海波辉鹏宇欣怡俊凯文斌丽萍秀英德荣永昌",
    foreign=("费尔南多·马科斯", "安娜·科瓦奇", "苏林·维拉蓬", "彼得·马蒂亚斯", "普拉博沃"),
    organizations=(
        "{place}市归国华侨联合会", "{region}中华总商会", "{region}中国和平统一促进会", "华侨大学", "{place}广东会馆",
        "中国侨商投资企业协会", "海外交流协会", "{region}浙江商会",
    ),
    agencies=("新华社", "中新社", "光明网", "环球网", "澎湃新闻", "海外网"),
    capitals=("北京", "深圳", "杭州", "台北"),
)  # fmt: skip

#: The same with places that the gazetteer does not have.
UNLISTED: Final = replace(
    POOL,
    home=(
        ("霞浦县", "福建"), ("嵊泗县", "浙江"), ("惠来县", "广东"), ("云霄县", "福建"), ("桓仁县", "辽宁"),
        ("磐安县", "浙江"),        ("溆浦县", "湖南"), ("陆川县", "广西"),
        ("江永县", "湖南"), ("海林市", "黑龙江"), ("邳州市", "江苏"),
    ),
    abroad=(
        ("阿尔梅里亚", "西班牙"), ("帕尔马", "意大利"), ("格拉纳达", "西班牙"), ("汉密尔顿", "加拿大"),
        ("圣安东尼奥", "美国"),        ("吉尔吉特", "巴基斯坦"),
        ("基桑加尼", "刚果"), ("怡朗", "菲律宾"), ("占碑", "印度尼西亚"),
        ("昆卡", "厄瓜多尔"),
    ),
)  # fmt: skip

TEMPLATES: Final = (
    Template(
        name="rally", title="{place}侨界举行集会声援", where="abroad",
        organizations=("o1",), persons=("p1",), ago=(0, 3),
        text="{line}{n}余名旅居{region}的华侨华人{When}聚集在{place}市政厅前广场，举行和平集会。活动由{o1}发起，会长{p1}宣读声明。"
             "{past2}在{other}举行的同类活动有{m}个侨团参加。",
    ),
    Template(
        name="robbery", title="{place}华人商铺遭抢劫 店主受伤", where="abroad", ago=(1, 3), persons=("p1",),
        text="欧洲时报报道，{place}一家华人经营的超市{when}遭三名持枪男子抢劫，店主{p1}肩部中弹，所幸没有生命危险。目击者说，"
             "劫匪得手后驾车逃往{other}方向。据警方统计，自{past}以来该街区已发生{m}起案件。",
    ),
    Template(
        name="evacuate", title="首批撤离同胞平安抵达{place}", where="home", ago=(0, 1),
        text="{line}{When}，搭载{n}名中国公民的包机平安降落在{place}国际机场。这是外交部启动应急机制以来，从{other}撤离的第一批同胞。"
             "大使馆{later}前还将安排后续航班。乘客{p1}走下舷梯时说：“终于到家了。”", persons=("p1",),
    ),
    Template(
        name="heritage", title="{place}民俗文化节启幕", lasts=5, ago=(-2, 3), organizations=("o1",),
        text="为弘扬中华优秀传统文化，由{o1}承办的第{m}届民俗文化节于{span}在{Place}举行。开幕式上，{p1}作主旨发言。"
             "文化节创办于{past}，曾走进{other}等城市。", persons=("p1",),
    ),
    Template(
        name="flight", title="{place}至{other}直航恢复", where="home", ago=(0, 2),
        text="{line}随着一架客机{when}清晨从{place}起飞，中断了三年的{place}往返{other}直达航线正式复航。该航线{past}首次开通，"
             "每周执行{m}班。机场负责人{p1}介绍，{later}起将加密班次。", persons=("p1",),
    ),
    Template(
        name="warning", title="驻{region}使馆发布安全提醒", where="abroad", ago=(0, 2), placed=True,
        text="中国驻{region}大使馆网站{when}发布消息：近期{place}及周边地区治安形势严峻，抢劫、绑架案件频发。{past2}，一名中国公民"
             "在当地遇害。使馆再次提醒，{later}前暂勿前往上述地区。",
    ),
    Template(
        name="appointed", title="{p1}任{o1}校长", persons=("p1", "p2"), organizations=("o1",), where="home", ago=(0, 4),
        text="{When}，{o1}在{place}校区召开教师干部大会，宣布任命决定：{p1}任{o1}校长，{p2}因年龄原因不再担任。{p1}，男，1968年{m}月生，"
             "{other}人，{past}参加工作。".replace("1968年{m}月", "1968年5月"),
    ),
    Template(
        name="flood", title="{Place}山洪已致{m}人失联", where="home", ago=(0, 2),
        text="受持续强降雨影响，{Place}境内{When}突发山洪，截至目前已造成{m}人失联。{p1}副省长连夜赶赴现场指挥救援。"
             "{other}紧急驰援的{n}名消防员已经到位。当地气象部门预计，降雨将持续到{later}。", persons=("p1",),
    ),
    Template(
        name="research", title="{o1}发布华侨华人研究报告", organizations=("o1",), ago=(0, 4), where="home",
        text="{line}{o1}{when}在{place}发布《华侨华人蓝皮书》。蓝皮书主编{p1}说，课题组{past2}起走访了{other}等{m}个侨乡，"
             "收回问卷{n}份。这一系列图书自{past}首次出版，已连续推出。", persons=("p1",),
    ),
    Template(
        name="camp", title="“寻根之旅”夏令营{place}营闭营", where="home", ago=(0, 3), organizations=("o1",),
        text="{line}“中国寻根之旅”夏令营{place}营闭营仪式{When}举行，来自{other}的{m}名华裔青少年依依惜别。营员{p1}是第一次回国。"
             "本次活动由{o1}组织，两周里营员们学习了书法、剪纸和武术。", persons=("p1",),
    ),
    Template(
        name="wage", title="{region}讨薪华工获赔", where="abroad", ago=(1, 6), persons=("p1", "f1"),
        text="历时{m}个月的华工讨薪案有了结果。{place}劳动法庭法官{f1}{when}宣判，承建商须向{n}名中国工人支付赔偿。工人代表{p1}"
             "听到判决后落泪。这批工人{past}经{other}中介出国，工资被长期拖欠。",
    ),
    Template(
        name="notice", title="关于召开{o1}第{m}次代表大会的通知", where="home", ago=(-20, -5), organizations=("o1",),
        text="各会员单位：经研究，定于{when}在{place}召开{o1}第{m}次代表大会，会期一天。请各单位于会前一周将回执报秘书处，联系人：{p1}。"
             "上次代表大会（{past}，{other}）通过的章程修正案请一并审议。", persons=("p1",),
    ),
    Template(
        name="crash", title="{place}载中国游客大巴翻车", where="abroad", ago=(0, 2),
        text="当地时间{When}，一辆载有{m}名中国游客的大巴在{region}{place}郊外侧翻，{n}人受轻伤。游客主要来自{other}。中国驻当地使领馆已派员"
             "前往医院。据当地媒体报道，同一路段{past2}曾发生连环追尾。",
    ),
    Template(
        name="apology", title="{f1}就不当言论致歉", where="abroad", persons=("f1",), ago=(0, 2),
        text="因在节目中发表歧视华人的言论，{region}主持人{f1}{when}在{place}举行的记者会上公开道歉。{o1}对此表示接受，但要求电视台"
             "作出书面保证。该节目{past}开播，{other}等地均有转播。", organizations=("o1",),
    ),
    Template(
        name="udn", title="{place}僑團慶國慶 升旗典禮登場", where="abroad", ago=(0, 2), persons=("p1",),
        text="〔記者{rep}／{place}報導〕{region}{place}僑界{When}舉行升旗典禮，僑領{p1}帶領{n}位僑胞唱歌。{p1}說，今年活動因天候一度延期，"
             "原訂時間與{other}的慶祝活動撞期。典禮後並有餐會，{past}起擔任義工的僑胞獲頒獎牌。",
    ),
    Template(
        name="market", title="{place}侨商项目集中开工", where="home", ago=(0, 5), persons=("p1",),
        text="{when}，记者在{Place}经济开发区看到，工程机械轰鸣，{m}个侨资项目集中开工，总投资{n}亿元。市委书记{p1}宣布开工。"
             "其中最大的项目由{other}侨商投资，计划{later}竣工投产；双方{past}签约。",
    ),
    Template(
        name="rumor", title="辟谣：{place}“外国人聚集”系谣言", where="home", ago=(0, 2), placed=True,
        text="网传“{place}出现大批外国人聚集”的视频引发关注。{place}市公安局{when}发布通报称，该视频实为{past}在{other}拍摄的商业演出，"
             "造谣者{p1}（男，{m}岁）已被行政拘留。", persons=("p1",),
    ),
    Template(
        name="recent", title="{o1}组团赴{place}考察", organizations=("o1",), persons=("p1",), dated=False,
        text="{line}日前，{o1}会长{p1}率团赴{Place}考察投资环境，实地走访了当地多家企业。双方自{past}起建立合作关系。"
             "考察团成员表示，{place}与{other}各有优势，将择机再访。",
    ),
    Template(
        name="memoir", title="忆父亲", dated=False, placed=False, persons=("p1",),
        text="我的父亲{p1}是家里的长子。{past}，他独自离开家乡，从此再也没有回来。后来我们收到一封信，信上只有寥寥数语。母亲把它放在箱底，"
             "一放就是{m}年。",
    ),
    Template(
        name="study", title="留学生{p1}在{place}失踪 家人求助", where="abroad", persons=("p1",), ago=(2, 6),
        text="{line}在{region}留学的中国学生{p1}{When}离开位于{place}的住处后失去联系。其家人{past2}刚送她出国，"
             "得知消息后已从{other}赶来。校方呼吁知情者联系警方。",
    ),
)  # fmt: skip
