"""Texts of the corpus, and what is known of each of its documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

#: A notice, as offices write it.
NOTICE = (
    "关于做好归侨侨眷身份认定工作的通知",
    "各区、县（市）人民政府侨务办公室，市直有关单位：",
    "为进一步规范归侨侨眷身份认定工作，保护归侨侨眷的合法权益，根据《中华人民共和国归侨侨眷权益保护法》及其"
    "实施办法，结合我市实际，现就有关事项通知如下，请认真贯彻执行。",
    "一、提高认识，加强领导。各级侨务部门要充分认识身份认定工作的重要意义，把它作为一项基础性工作来抓，明确"
    "分管领导和经办人员，做到件件有落实、事事有回音，不得推诿扯皮，不得擅自增设条件。",
    "二、严格标准，规范程序。申请人应当向户籍所在地的县级侨务部门提出书面申请，填写《归侨侨眷身份认定申请表》"
    "一式三份，并提交身份证、户口簿、出国定居证明、亲属关系公证书等材料。受理部门自收到申请之日起20个工作日内"
    "作出认定，情况复杂的可以延长10个工作日，并书面告知申请人理由。",
    "三、建立台账，动态管理。各地要将认定结果录入侨情信息系统，每季度末月25日前报送统计数据，联系电话：0755-"
    "88128888，电子邮箱：qiaoban@example.gov.cn。",
    "附件：归侨侨眷身份认定申请表",
    "某某市人民政府侨务办公室",
    "2024年3月5日",
)
#: A longer text, of several pages.
ARTICLE = (
    "华侨与近代侨乡的茶叶贸易",
    *(
        f"第{number}，{text}"
        for number in "一二三四五六"
        for text in (
            "十九世纪中叶以后，闽南和潮汕一带的乡民大批出洋，沿海的侨批局随之兴起，银信往来不绝。侨批既是家书，又是"
            "汇票，水客和批局把海外亲人的问候与银元一并送到偏僻的山村，侨眷凭此购置田产、修建祠堂、兴办学堂。",
            "茶叶是侨乡输出的大宗货物。安溪的铁观音、武夷的岩茶经厦门、福州装船，运往新加坡、槟城、曼谷和旧金山；茶商"
            "多在两地设号，子侄轮流出洋照料生意，账簿用苏州码子记数，至今仍有数百册保存在档案馆里。",
            "抗战爆发以后，海路断绝，侨汇锐减，茶庄纷纷歇业。战后虽一度恢复，终因时局动荡而未能重现旧观。改革开放以来，"
            "海外乡亲重返故里，捐资助学、修桥铺路，茶文化节成为联络乡情的纽带。",
        )
    ),
)
ROWS = (
    ("姓名", "原侨居国", "回国年份"),
    ("陈大明", "印度尼西亚", "1960"),
    ("林秀英", "马来西亚", "1953"),
    ("黄国强", "越南", "1978"),
    ("郑美玉", "新加坡", "1965"),
)
TABLE = ("归侨登记名册", *("".join(row) for row in ROWS))
TRADITIONAL = (
    "僑務委員會關於華文學校的公告",
    "為鼓勵海外僑胞子女學習華語文，僑務委員會自即日起受理各地華文學校申請教材補助，請於期限內提出計畫書及預算表，逾期"
    "恕不受理。各校應將執行成果報會備查，並妥善保存單據，以供查核。",
)
ENGLISH = (
    "Overseas Chinese Affairs",
    "The office assists returned overseas Chinese and their relatives in the protection of their rights and "
    "interests, and it coordinates the educational, cultural and economic exchange with the communities abroad.",
)


@dataclass(frozen=True)
class Example:
    """A document of the corpus."""

    name: str
    make: Callable[[], bytes]
    truth: Sequence[str] = ()
    """Its paragraphs; none if it cannot be read."""
    reason: str = ""
    """The expected reason; of a damaged document the truth is what may be read at most."""
    content_type: str = ""
    file_name: str = ""
    kind: str = ""
    """The expected format, where that is a question."""
    costly: bool = False
    """Whether it takes seconds: for the benchmark only."""
