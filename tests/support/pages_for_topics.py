"""Pages on and off three topics, written for these tests."""

from __future__ import annotations

QIAO_SAMPLES = [
    "全省侨务工作会议昨天召开。会议要求各级侨办做好归侨侨眷的服务，关心困难归侨的生活，支持侨商回乡投资，"
    "并继续办好海外华裔青少年夏令营。侨联负责人介绍了侨法宣传月的安排。",
    "旅居巴西的华侨华人社团联合举办春节庙会，侨领们表示将团结侨胞，弘扬中华文化。当地华文学校的学生表演了"
    "舞狮，中国驻圣保罗总领事到场向侨胞拜年，华文媒体作了报道。",
    "侨批是海外侨胞寄给国内眷属的书信和汇款凭证。侨乡档案馆近年征集侨批三万余件，归侨后代捐出家藏，"
    "研究者据此了解早期华侨的生活、侨汇的流转和侨乡社会的变迁。",
    "市侨联到归侨聚居的农场走访，了解老归侨养老和子女就业情况，并向侨眷讲解侨房政策。侨界委员提出，"
    "要用好海外侨胞的智力资源，引导新侨回国创业。",
]
QIAO_ON = [
    "【本報訊】僑務委員會代表團日前訪問馬尼拉，拜會當地僑團並與僑領座談。僑胞們反映，華文學校缺少師資，"
    "希望加強華文教育；旅菲華僑還談到子女回國升學的手續。代表團表示將向有關部門轉達僑界的意見。",
    "首页 > 侨乡新闻 > 正文。华侨农场的老归侨搬进了新居。四十多年前，他们从印尼回国，在这里种茶、割胶。"
    "如今农场改制，归侨侨眷的养老保险得到落实，侨办的干部每个月上门走访。几位海外侨胞听说以后，"
    "捐款修缮了农场的小学。在归侨活动室，老人们还保留着印尼的饮食习惯，每逢周末一起跳舞、做糕点。"
    "村里的侨史馆收藏了当年的行李箱和船票，侨乡的孩子在这里听归侨讲过去的故事。版权所有 联系我们",
]
QIAO_OFF = [
    "华侨城A今日高开高走，收盘涨停。分析师认为，文旅地产板块回暖，华侨城欢乐谷客流增长，公司销售额同比"
    "上升百分之十二。深圳华侨城片区的住宅成交价保持稳定，多家券商上调了评级。",
    "中超第八轮昨晚结束，主队二比一取胜。上半场前锋接角球头球破门，下半场客队由华侨球员点球扳平，"
    "补时阶段队长远射锁定胜局。主教练赛后说，球队防守还需要改进，下一场将轮换阵容。" * 2,
]

TEA_ON = [
    "潮汕人的工夫茶讲究小壶小杯、高冲低斟。茶文化研究会的会员说，一套茶具、一泡好茶，就是待客之道。"
    "唐代陆羽著《茶经》，奠定了中国茶文化的基础；宋人斗茶，明清改为冲泡，茶馆遍布城乡。",
    "茶文化節下週開幕，主辦單位安排了茶藝表演和茶席展示。評茶師將講解烏龍茶與普洱茶的製作，"
    "遊客可以走進茶園採茶。學者認為，茶文化的傳播離不開茶馬古道；地方志裡的茶稅、茶引，也是研究"
    "茶文化的材料。去年的活動吸引了三萬人，帶動了民宿和茶葉的銷售。",
]
TEA_OFF = [
    "市文化馆新馆开放，设有剧场、展厅和舞蹈教室。馆长介绍，今年将举办群众文化活动两百场，包括广场舞大赛、"
    "书法展和戏曲进校园，文化志愿者队伍也在招募。",
    "会议由副市长主持，与会人员就地铁三号线的施工进度、沿线拆迁和交通疏导进行了讨论。会后来宾参观了车站，"
    "休息室提供茶水。施工单位表示，盾构机已掘进两公里，明年底可以通车，票价方案将另行听证。" * 2,
]

STORM_SAMPLES = [
    "The hurricane made landfall on Monday with sustained winds of 115 mph. Storm surge flooded "
    "the coast and heavy rainfall caused flash floods inland before the storm weakened.",
    "A tropical cyclone draws its energy from warm ocean water. Its eye is calm, while the "
    "strongest winds blow in the eyewall. In the west Pacific such storms are called typhoons.",
    "Forecasters upgraded the tropical depression to a tropical storm after aircraft measured "
    "stronger winds. The season has produced nine named storms and three hurricanes so far.",
]
STORM_ON = [
    "Typhoon warnings were issued as the cyclone moved north with winds near 90 knots. Rainfall "
    "of 400 mm is expected; the storm should make landfall on Kyushu by Friday evening. Ferries "
    "were cancelled and fishing boats told to stay in port. Last year a typhoon on the same track "
    "cut the power of forty thousand homes, and heavy rainfall set off landslides in the hills.",
    "The 1969 season brought a hurricane that struck the coast of Mississippi. Its storm surge "
    "reached seven metres, and the winds destroyed every anemometer on the shore. Aircraft had "
    "measured a very low pressure in the eye. The hurricane weakened to a tropical storm over "
    "Tennessee, yet its rainfall caused floods in Virginia, where more than a hundred people died.",
]
STORM_OFF = [
    "The committee approved the budget for road repairs. Residents asked that every storm drain "
    "be cleaned before winter, and that the new storm drain on Mill Street be moved. The mayor "
    "said the contractor would replace pipes, kerbs and street lamps by the end of March.",
    "The novel met a storm of criticism when it appeared. Reviewers praised the characters but "
    "found the plot thin; the publisher printed a second edition, and a film version followed "
    "in which the lead actress won an award for her portrait of the schoolteacher. The author "
    "moved to Dublin, taught at the university for some years and wrote two plays and a memoir. "
    "Letters to her brother, found in an attic, were sold at auction to a private collector.",
]
