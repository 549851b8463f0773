"""Templates that were written after the rules had been mended by the second ones, and not used since."""

from __future__ import annotations

from typing import Final

from benchmarks.notcontent.filling import Template

# fmt: off
# ruff: noqa: E501
THIRD: Final = (
    # -- block pages -----------------------------------------------------------------------------
    Template("baota", "blocked", '<html><head><title>宝塔网站防火墙</title></head><body><div class="main"><h3>网站防火墙</h3><p>您的请求带有不合法参数，已被网站管理员设置拦截</p><p>可能原因：您提交的内容包含危险的攻击请求</p></div></body></html>', 403),
    Template("error-code-page", "blocked", '<html><head><title>{site}</title></head><body><div class="err"><b>-412</b><p>由于触发哔站安全风控策略，该次访问请求被拒绝。</p><p>The request was rejected because of the bilibili security control policy.</p></div></body></html>', 412),
    Template("gov-limit", "blocked", '<html><head><meta name="robots" content="noindex"><title>{site}</title></head><body><table><tr><td>尊敬的用户：您当前的网络地址{ip}单位时间内查询次数已超出系统上限，系统将于次日零时恢复，敬请理解。</td></tr></table><p>{foot}</p></body></html>'),
    Template("imperva", "blocked", '<html><head><title>{host}</title></head><body><h1>Pardon Our Interruption</h1><p>As you were browsing something about your browser made us think you were a bot. There are a few reasons this might happen:</p><ul><li>You\'re a power user moving through this website with super-human speed.</li><li>You\'ve disabled cookies in your web browser.</li></ul><p>Incident ID: {id}</p></body></html>'),
    Template("json-block", "blocked", '<html><body><pre>{"code":-1,"msg":"请求频率过高，请稍后重试","requestId":"{id}"}</pre></body></html>'),
    Template("referer", "blocked", '<html><head><title>提示</title></head><body><h2>禁止盗链</h2><p>本站禁止从外部链接直接访问，请从<a href="/">首页</a>进入。</p></body></html>', 403),
    # -- captchas --------------------------------------------------------------------------------
    Template("spin", "captcha", '<html><head><title>身份核实</title></head><body><div><h2>请旋转图片至正确角度</h2><p>向右拖动下方按钮</p></div><script>{junk}</script></body></html>'),
    Template("arithmetic", "captcha", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><div class="box"><p>为防止恶意采集，请回答问题后继续浏览：</p><p>3 + 8 = <input name="answer"></p><button>提交</button></div><p>{foot}</p></body></html>'),
    Template("ddg", "captcha", '<html><head><title>DDoS-Guard</title></head><body><h1>Checking your browser before accessing {host}</h1><p>Please allow up to 5 seconds</p></body></html>', 403),
    Template("human-cn", "captcha", '<html><head><title>{site} - 人机识别</title></head><body><p>我们需要确认您不是机器人，请勾选下方方框。</p><div id="box"></div><p>遇到问题？刷新页面或更换网络。</p></body></html>'),
    # -- login walls -----------------------------------------------------------------------------
    Template("forum-group", "login", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><div class="msg"><p>您所在的用户组（游客）无法进行此操作，需要先登录才能继续。</p></div><p>{foot}</p></body></html>'),
    Template("oa", "login", '<html><head><title>协同办公平台</title></head><body><div><h1>协同办公平台</h1><input placeholder="请输入账号"><input type="password" placeholder="请输入密码"><button>登 录</button><span>忘记密码？</span></div></body></html>', path="/index.jsp"),
    Template("library", "login", '<html><head><title>读者登录_{site}</title></head><body><p>读者证号：<input></p><p>密码：<input type="password"></p><p>初始密码为身份证后六位，如有问题请到服务台办理。</p></body></html>'),
    Template("app-wall", "login", '<html><head><title>{site}</title></head><body><div class="mask"><p>登录账号，查看全部精彩内容</p><button>手机号登录</button><button>微信登录</button></div></body></html>'),
    # -- soft 404 --------------------------------------------------------------------------------
    Template("video-gone", "soft-404", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><p>视频去哪了呢？</p><p>该稿件已被UP主自行删除或因版权原因下架</p><ul>{hot}</ul></body></html>'),
    Template("job-closed", "soft-404", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><div>该职位已停止招聘，看看其他机会吧</div><ul>{hot}</ul><p>{foot}</p></body></html>'),
    Template("java-trace", "soft-404", '<html><head><title>HTTP Status 500 – Internal Server Error</title></head><body><h1>HTTP Status 500 – Internal Server Error</h1><hr><p><b>Type</b> Exception Report</p><p><b>Message</b> Request processing failed; nested exception is java.lang.NullPointerException</p><pre>java.lang.NullPointerException\n\tat com.cms.web.ArticleController.show(ArticleController.java:88)\n\tat sun.reflect.NativeMethodAccessorImpl.invoke0(Native Method)</pre></body></html>'),
    Template("php-warning", "soft-404", '<html><body><b>Warning</b>: mysqli_connect(): (HY000/2002): Connection refused in <b>/data/www/inc/db.php</b> on line <b>17</b><br>数据库连接失败</body></html>'),
    Template("sorry-en", "soft-404", '<html><head><title>{site}</title></head><body><nav><ul>{nav}</ul></nav><h2>Sorry, this story is unavailable</h2><p>The link you followed may be broken, or the page may have been removed.</p><footer>{foot}</footer></body></html>'),
    Template("nothing-here", "soft-404", '<html><head><title>内容详情_{site}</title></head><body><ul>{nav}</ul><div class="detail"><p>暂无相关内容</p></div><p>{foot}</p></body></html>'),
    # -- shells ----------------------------------------------------------------------------------
    Template("wap-choice", "shell", '<html><head><title>{site}</title><script>if(/Mobile/.test(navigator.userAgent)){location.href="/m/"}else{location.href="/pc/{n}.html"}</script></head><body></body></html>'),
    Template("uni-app", "shell", '<html><head><title>{site}</title></head><body><noscript><strong>Please enable JavaScript to continue.</strong></noscript><div id="app"></div><script src="/static/js/index.js"></script></body></html>'),
    Template("skeleton", "shell", '<html><head><title>{site}</title></head><body><div id="root"><div class="sk"></div><div class="sk"></div></div><footer>{foot}</footer><script src="/a.js"></script></body></html>'),
    Template("top-frames", "shell", '<html><head><title>{site}</title></head><frameset cols="180,*"><frame src="menu.asp" name="menu"><frame src="view.asp?id={n}"></frameset></html>'),
)
# fmt: on
