"""Templates and pages with content that were written after the rules were mended for ``third``, without a look at them."""

from __future__ import annotations

from typing import Final

from benchmarks.notcontent.filling import Template

# fmt: off
# ruff: noqa: E501
FIFTH: Final = (
    Template("wechat-env", "captcha", '<html><head><title></title></head><body><div class="weui-msg"><h2 class="weui-msg__title">环境异常</h2><p class="weui-msg__desc">当前环境异常，完成验证后即可继续访问。</p><a id="js_verify" class="weui-btn">去验证</a></div></body></html>'),
    Template("baidu-safe", "captcha", '<html><head><title>百度安全验证</title></head><body><div class="timeout hide-callback"><p>网络不给力，请稍后重试</p><a href="/">返回首页</a></div><div class="foot">问题反馈</div><script src="/mkd.js"></script></body></html>'),
    Template("shipin-verify", "captcha", '<html><head><title>{site}-验证</title></head><body><div>为了您的账号安全，请依次点击图中的文字</div><img src="/c/{id}.jpg"><a>换一张</a></body></html>'),
    Template("press-hold", "captcha", '<html><head><title>{host}</title></head><body><h1>Before we continue...</h1><p>Press &amp; Hold to confirm you are a human (and not a bot).</p><p>Reference ID {id}</p></body></html>', 403),
    Template("turnstile", "captcha", '<html><head><title>请稍候…</title></head><body><h1>{host}</h1><p>确认您是真人</p><p>{host} 需要先检查您的连接的安全性，然后才能继续。</p><div>Ray ID：{id}</div></body></html>', 403),
    Template("tax-code", "captcha", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><form><p>您查询过于频繁，请输入验证码继续</p><input name="vcode"><img src="/v.php?{id}"><input type="submit" value="确定"></form><p>{foot}</p></body></html>'),
    Template("edge-one", "blocked", '<html><head><title>Restricted Access</title></head><body><h1>Restricted Access</h1><p>The request was rejected by the security policies of {host}. Request Id: {id}</p></body></html>', 200),
    Template("anquangou", "blocked", '<html><head><title>网站防火墙</title></head><body><div>您的请求带有不合法参数，已被网站管理员设置拦截！</div><p>可能原因：您提交的内容包含危险的攻击请求</p><p>如何解决：检查提交内容；如网站托管，请联系空间提供商</p></body></html>'),
    Template("baota", "blocked", '<html><head><title>宝塔云WAF</title></head><body><h3>您的IP已被封锁</h3><p>当前IP：{ip}</p><p>由于您多次触发防御规则，暂停访问 3600 秒</p></body></html>', 444),
    Template("campus-only", "blocked", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><div>当前 IP 地址 {ip} 不在校园网范围内，本栏目仅供校内用户浏览。校外用户请通过 VPN 访问。</div><p>{foot}</p></body></html>'),
    Template("referer", "blocked", '<html><body>非法请求来源！</body></html>'),
    Template("ua", "blocked", '<html><head><title>提示</title></head><body><p>您的浏览器版本过低或者为非正常浏览器，服务器拒绝为您提供服务。错误码 A{n}</p></body></html>'),
    Template("quota", "blocked", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><p>您今天的浏览次数已达上限，请明天再来，或升级为会员。</p><p>{foot}</p></body></html>'),
    Template("robot-en", "blocked", '<html><head><title>Pardon Our Interruption</title></head><body><h1>Pardon Our Interruption...</h1><p>As you were browsing, something about your browser made us think you were a bot. There are a few reasons this might happen: you\'re a power user moving through this website with super-human speed; you\'ve disabled cookies in your web browser.</p></body></html>'),
    Template("discuz-group", "login", '<html><head><title>提示信息 - {site}</title></head><body><ul>{nav}</ul><div id="messagetext"><p>抱歉，您所在的用户组(游客)无法进行此操作</p></div><form><input name="username"><input type="password" name="password"><button>登录</button></form><p>{foot}</p></body></html>'),
    Template("qr-login", "login", '<html><head><title>{site}</title></head><body><div><h3>扫码登录</h3><p>打开 APP 扫一扫</p><p>二维码已失效 <a>刷新</a></p><a>密码登录</a> <a>立即注册</a></div></body></html>'),
    Template("members", "login", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><h2>全文阅读</h2><p>该文献为会员专享，请您登录或购买阅读权限。</p><a>会员登录</a><a>立即开通</a><p>{foot}</p></body></html>'),
    Template("cas", "login", '<html><head><title>统一身份认证平台</title></head><body><h1>统一身份认证</h1><form><input placeholder="学工号"><input type="password" placeholder="请输入密码"><label>七天免登录</label><button>登 录</button></form><p>首次登录请先激活账号</p></body></html>', path="/authserver/login"),
    Template("sso-jump", "login", '<html><head><title>Sina Visitor System</title></head><body><div>微博登录中，请稍候</div><script>{junk}</script></body></html>'),
    Template("kicked", "login", '<html><body><script>alert("您的账号在别处登录，您已被迫下线！");top.location.href="/login.jsp";</script></body></html>'),
    Template("reader-gate", "login", '<html><head><title>Subscribe to read | {site}</title></head><body><h1>Subscribe to unlock this article</h1><p>Try unlimited access. Only $1 for 4 weeks.</p><p>Already a subscriber? Sign in</p></body></html>'),
    Template("friends", "login", '<html><head><title>{site}</title></head><body><p>这是一篇加密日志，仅主人好友可见。</p><a href="/login">登录看看</a></body></html>'),
    Template("offline", "soft-404", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><div class="none"><img src="/none.png"><p>该内容已下线</p></div><ul>{hot}</ul><p>{foot}</p></body></html>'),
    Template("audit", "soft-404", '<html><head><title>{site}</title></head><body><p>文章正在审核中，暂时无法查看</p><a href="/">去首页</a></body></html>'),
    Template("author-deleted", "soft-404", '<html><head><title></title></head><body><div class="weui-msg"><h2>该内容已被发布者删除</h2></div></body></html>'),
    Template("complaint", "soft-404", '<html><head><title></title></head><body><h2>此内容因违规无法查看</h2><p>由用户投诉并经平台审核，此内容违反相关法律法规，查看详情</p></body></html>'),
    Template("dream", "soft-404", '<html><head><title>404 - {site}</title></head><body><p>哎呀，你来到了没有知识的荒原</p><p>5 秒后回到首页</p></body></html>'),
    Template("gov-move", "soft-404", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><p>尊敬的用户：因网站改版，原链接已不再使用，请从新版网站首页进入。新版网址：http://{host}/</p><p>{foot}</p></body></html>'),
    Template("db-wp", "soft-404", '<html><head><title>数据库错误</title></head><body><h1>建立数据库连接时出错</h1></body></html>', 500),
    Template("php-warn", "soft-404", '<html><body><b>Warning</b>: mysql_connect(): Can\'t connect to local MySQL server through socket \'/tmp/mysql.sock\' (2) in <b>/www/web/inc/conn.php</b> on line <b>12</b><br>数据库连接失败</body></html>'),
    Template("tomcat", "soft-404", '<html><head><title>HTTP状态 404 - 未找到</title></head><body><h1>HTTP状态 404 - 未找到</h1><hr><p><b>类型</b> 状态报告</p><p><b>描述</b> 源服务器未能找到目标资源的表示或者是不愿公开一个已经存在的资源表示。</p><h3>Apache Tomcat/9.0.41</h3></body></html>'),
    Template("aspnet", "soft-404", '<html><head><title>未将对象引用设置到对象的实例。</title></head><body><h1>“/”应用程序中的服务器错误。</h1><h2>未将对象引用设置到对象的实例。</h2><p>说明: 执行当前 Web 请求期间，出现未经处理的异常。请检查堆栈跟踪信息，以了解有关该错误以及代码中导致错误的出处的详细信息。</p></body></html>', 500),
    Template("parked", "soft-404", '<html><head><title>{host} - 域名出售</title></head><body><h1>{host}</h1><p>您正在访问的域名可以转让！</p><p>This domain is for sale. 请联系 QQ：{n}</p></body></html>'),
    Template("no-icp", "soft-404", '<html><head><title>温馨提示</title></head><body><h2>网站暂时无法访问</h2><p>该网站未根据工信部相关法规进行备案，暂时无法提供访问。</p><p>如果您是网站管理员，请登录备案系统办理。</p></body></html>'),
    Template("expired-host", "soft-404", '<html><head><title>主机已到期</title></head><body><p>该站点已到期或被停用，请及时联系服务商续费！</p></body></html>'),
    Template("default-page", "soft-404", '<html><head><title>恭喜，站点创建成功！</title></head><body><h1>恭喜, 站点创建成功！</h1><h3>这是默认index.html，本页面由系统自动生成</h3><ul><li>本页面在FTP根目录下的index.html</li><li>您可以修改、删除或覆盖本页面</li></ul></body></html>'),
    Template("search-none", "soft-404", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><p>很抱歉，没有找到与您请求相关的信息</p><p>{foot}</p></body></html>'),
    Template("gone-en", "soft-404", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><h1>This story is no longer available</h1><p>It may have been removed by the publisher. Try our homepage instead.</p></body></html>'),
    Template("maintenance", "soft-404", '<html><head><title>{site}</title></head><body><h1>We\'ll be back soon!</h1><p>Sorry for the inconvenience. We\'re performing some maintenance at the moment.</p></body></html>', 503),
    Template("react", "shell", '<html><head><title>{site}</title></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/static/js/main.{id}.js"></script></body></html>'),
    Template("jump-wait", "shell", '<html><head><title>正在跳转</title><meta http-equiv="refresh" content="3;url=http://{host}/"></head><body>页面跳转中，如果没有自动跳转请<a href="http://{host}/">点击这里</a></body></html>'),
    Template("spa-nav", "shell", '<html><head><title>{site}</title></head><body><div class="top"><ul>{nav}</ul></div><div id="content" v-cloak>{{{{ article.title }}}}<div v-html="article.body"></div></div><script src="/vue.js"></script></body></html>'),
    Template("app-only", "shell", '<html><head><title>{site}</title></head><body><img src="/logo.png"><p>请在手机客户端中打开</p><a>立即下载 APP</a></body></html>'),
    Template("skeleton", "shell", '<html><head><title>{site}</title></head><body><div class="skeleton"><i></i><i></i><i></i></div><p>努力加载中...</p><script>{junk}</script></body></html>'),
)
#: Pages with content about the same subjects, or nearly without text, of the same author.
FIFTH_CONTENT: Final = (
    ("关于暂停办理业务的公告", ("因系统切换，11月28日至30日暂停办理车驾管业务，12月1日恢复。", "市公安局交警支队")),
    ("警惕验证码诈骗", ("近日有群众接到自称客服的电话，要求其提供短信验证码，随后银行卡被盗刷。警方提醒：验证码就是钥匙，不要告诉任何人。",)),
    ("某电商网站宕机两小时 客服：服务器繁忙", ("昨晚八点，多位网友反映某电商网站打不开，页面提示“服务器繁忙，请稍后再试”。客服回应称正在抢修，十点恢复。",)),
    ("域名转让纠纷案宣判", ("原告称被告抢注域名并高价出售。法院认定被告恶意注册，判令转移域名。",)),
    ("停用旧版网站的通知", ("各单位：旧版网站自12月1日起停用，原有栏目迁移至新版，请及时更新链接。", "办公室 2024年11月20日")),
    ("登录即送五十元红包", ("活动期间，新用户首次登录可领取五十元红包，满一百元可用。活动截止12月31日。",)),
    ("会员制图书馆的兴起", ("交三百元年费，就能在社区图书馆借书、听讲座。记者走访发现，会员制阅读空间在本市已有二十多家。",)),
    ("四级成绩查询入口", ("12月四级成绩将于2月25日公布，考生可登录中国教育考试网，输入准考证号和姓名查询。",)),
    ("失联公告", ("以下三家公司通过登记住所无法联系，现予公示：海丰贸易有限公司、金泰建材有限公司、明源餐饮有限公司。",)),
    ("找不到回家的路", ("一位老人在车站徘徊，说不出家在哪里。民警翻遍口袋，找到一张写着电话的纸条，终于联系上家属。",)),
    ("论文撤稿声明", ("编辑部决定撤销《岩土力学》2019年第3期发表的论文一篇，原因是数据无法重复。",)),
    ("拒绝访问权限申请被驳回", ("市民王某申请公开拆迁档案，区政府答复不予公开，理由是涉及第三方。法院审理后驳回其诉讼请求。",)),
    ("Our offices are closed for maintenance", ("The consulate will be closed on Friday for maintenance of the heating system. Appointments move to Monday.",)),
    ("Sign in sheet lost", ("The attendance list of the meeting of overseas Chinese associations was lost; the secretary asks members to send their names again.",)),
    ("Why sites show 404 pages", ("A page that cannot be found is usually the result of a moved file. The article explains how to write redirects.",)),
    ("敬告读者", ("本报明日休刊一天，后天照常出版。",)),
    ("门禁系统升级", ("小区门禁将改用刷脸，未登记的住户请携带身份证到物业办公室登记，否则无法进入。",)),
    ("浏览器市场份额报告", ("报告显示，本季度移动端浏览器份额继续上升，桌面端版本过低的用户降到百分之三。",)),
    ("直播间被封禁", ("平台公告：主播因违规带货被封禁七天，其直播间内容无法查看。",)),
    ("校园网使用须知", ("校外访问图书馆数据库须使用 VPN，登录账号为学工号，密码与统一身份认证相同。", "网络中心")),
)
# fmt: on
