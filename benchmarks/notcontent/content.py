"""Made pages with content that resemble pages without: short, or about the same subjects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

# (title, paragraphs); they are set in a page with navigation and footer.
# fmt: off
# ruff: noqa: E501
CONTENT: Final = (
    ("关于系统维护的通知", ("各位用户：", "因系统升级维护，本网站将于11月25日22时至次日6时暂停服务，期间无法访问，请提前安排。", "给您带来不便，敬请谅解。", "信息中心 2023年11月20日")),
    ("停水通知", ("因管网检修，东湖路以南区域将于明日8时至17时停水，请市民做好储水准备。", "自来水公司 2023年6月1日")),
    ("网站提示访问过于频繁怎么办", ("有网友问，打开网页时提示“访问过于频繁，请稍后再试”怎么办。", "这通常是因为同一IP地址短时间内请求次数过多，触发了网站的防护策略。可以等待几分钟，或者更换网络后重试。", "如果仍然无法访问，请联系网站管理员说明情况，并提供出口IP地址。")),
    ("滑块验证码是怎样识别机器人的", ("现在很多网站用滑块验证码代替字符验证码。用户拖动滑块完成拼图，系统根据轨迹判断是不是机器人。", "研究者收集了一万条轨迹，发现人的加速度先增大后减小，而程序往往匀速。", "论文发表于去年的国际会议。")),
    ("HTTP 404 错误页面的设计", ("404 页面是用户访问不存在的网页时看到的页面。好的 404 页面应当说明原因，并给出返回首页的链接。", "常见的文案有“您访问的页面不存在”“页面走丢了”等。设计师可以加入插图，缓解用户的失望。", "本文收集了二十个优秀的例子，供大家参考。")),
    ("Cloudflare 的 Just a moment 页面如何工作", ("当访客打开受保护的网站时，Cloudflare 会显示 Just a moment 页面并检查浏览器。", "脚本计算一个难题，把结果写进 Cookie，之后的请求就不再需要验证。", "网站管理员可以在控制台里调整安全级别。")),
    ("侨联举行座谈会", ("本报讯 市侨联昨日举行归侨侨眷座谈会，三十余人参加。",)),
    ("寻人启事", ("王建国，男，72岁，9月3日在人民公园走失，身穿灰色外套，有知情者请与家属联系。",)),
    ("讣告", ("我校退休教师李文华同志因病于2023年3月2日逝世，享年86岁。",)),
    ("账号登录异常怎么处理？", ("我的账号昨天突然显示登录超时，重新登录又说密码错误，有人遇到过吗？", "楼上的，我也是，清一下缓存就好了。", "找回密码试试，用手机短信验证。")),
    ("用户登录功能操作说明", ("一、打开系统首页，点击右上角“登录”，输入用户名和密码。", "二、如忘记密码，点击“忘记密码”，通过手机号找回。", "三、登录后可以查看本人的办件进度，下载电子证照。", "四、长时间不操作会话会超时，需要重新登录。")),
    ("关于部分文章被删除的说明", ("近日有读者反映，本站部分文章已被删除。经查，系原作者要求撤稿，编辑部按规定办理。", "对由此给读者带来的不便，我们深表歉意。")),
    ("法院：平台擅自封禁账号应担责", ("用户张某的账号被平台以访问异常为由封禁，张某起诉要求解封。法院认为平台没有举证证明存在违规行为，应当恢复账号。", "判决已生效。法官提醒，平台限制用户访问应当说明理由。")),
    ("今日天气", ("晴转多云，北风3到4级，最高气温12℃，最低气温2℃。",)),
    ("JavaScript 入门：页面加载过程", ("浏览器解析网页时，遇到脚本会暂停。把脚本放在页面末尾，可以让内容先显示出来。", "如果用户禁用 JavaScript，可以用 noscript 标签给出提示。", "页面加载完成后会触发 load 事件。")),
    ("招聘启事：数据录入员一名", ("学历大专以上，熟悉办公软件，月薪4000元。有意者请联系客服登记。",)),
    ("How to fix the 403 Forbidden error", ("A 403 Forbidden error means that the server understood the request but refuses to authorize it.", "Check the permissions of the files, clear the cache of your browser, and make sure that your IP address was not blocked by a firewall.", "If access is still denied, contact the owner of the website.")),
    ("Court rules on access to archives", ("The court denied access to the archives on Monday, saying that the documents could not be found.", "Historians called the decision a setback.")),
    ("公告：论坛恢复访问", ("论坛因服务器故障昨晚无法访问，现已恢复，感谢大家的耐心等待。",)),
    ("诗一首", ("床前明月光，疑是地上霜。", "举头望明月，低头思故乡。")),
    ("项目中标结果公示", ("项目编号：ZB2023-118", "中标单位：华东建设有限公司", "中标金额：385.6万元", "公示期三天，如有异议请联系我们。")),
    ("关于域名到期未续费的提醒", ("近期有用户的域名已过期而未及时续费，导致网站无法访问。请各单位检查域名有效期。",)),
    ("数据库连接失败的五种原因", ("数据库连接失败是常见的故障。第一，服务没有启动；第二，密码错误；第三，防火墙拦截了端口；第四，连接数已达上限；第五，网络不通。", "逐一排查即可解决。")),
    # From here on written after the first rules.
    ("为什么你的文章被删除了", ("很多作者问，为什么我的文章发布后显示“该内容已被删除”。", "平台的回答是：内容违规会被系统自动删除，作者可以在后台申诉，审核通过后恢复显示。", "建议发布前先看一遍社区规则，不要搬运他人作品。")),
    ("网站升级公告", ("尊敬的读者，本站已于昨日完成升级，新版增加了全文检索和手机浏览功能。", "旧网址会自动跳转到新页面，如有链接失效，请告诉我们。")),
    ("IP 被封了怎么解封？", ("楼主：公司的IP被论坛封禁了，提示访问频率过高，怎么解封？", "二楼：换个网络试试，或者给管理员发邮件。", "三楼：等24小时自动解封。")),
    ("启用 JavaScript 的方法", ("如果网页提示“请启用 JavaScript”，可以按下面的步骤操作。", "打开浏览器的设置，进入隐私和安全，找到网站设置，把 JavaScript 设为允许，然后刷新页面。")),
    ("市图书馆闭馆通知", ("因馆舍维修，市图书馆6月3日至5日闭馆，电子资源可登录后照常访问。", "市图书馆")),
    ("关于严禁利用验证码实施诈骗的提醒", ("近期有群众反映，收到陌生人索要短信验证码的电话。警方提醒，验证码等同于密码，任何索要验证码的行为都是诈骗。", "如遇可疑情况，请拨打反诈专线。")),
    ("老教学楼拆除", ("使用了五十年的老教学楼昨天拆除，校友们赶来合影留念。",)),
    ("Server outage hits campus", ("Students could not log in to the learning platform on Tuesday because of a server error, the university said.", "Access was restored in the evening.")),
    ("无法访问内网怎么办", ("先检查网线和无线连接，再确认账号没有过期。", "如果提示没有权限，请填写申请表，由信息办开通。")),
    ("会员登录送积分活动开始啦", ("即日起，会员每天登录可领取10个积分，连续登录七天再送50个积分，积分可在商城兑换礼品。", "活动时间：6月1日至30日。")),
    ("失联老兵找到了", ("经过三个月的寻找，与家人失联四十年的抗战老兵终于找到了，昨天在侨联的帮助下回到故乡。",)),
    ("侨乡新貌", ("（图）村口的古榕树下，归侨们在唱南音。", "摄影：林海")),
)
# fmt: on


def content_page(index: int, title: str, paragraphs: Sequence[str], nav: str, hot: str) -> bytes:
    """Return the HTML of an article in a page of a site; every other one states a source."""
    body = "".join(f"<p>{it}</p>" for it in paragraphs)
    source = '<div class="info">来源：侨网</div>'
    return (
        f'<html><head><meta charset="utf-8"><title>{title}_侨网</title></head><body>'
        f'<div class="top">您好，请<a href="/login">登录</a> <a href="/reg">免费注册</a></div>'
        f'<ul class="nav">{nav}</ul><div class="article"><h1>{title}</h1>'
        f'{source if index % 2 else ""}<div class="content">{body}</div></div>'
        f'<ul class="related">{hot}</ul><div class="footer">Copyright © 2020 侨网 版权所有</div></body></html>'
    ).encode()
