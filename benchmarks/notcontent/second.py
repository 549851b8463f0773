"""Templates that were written when the rules were done: the rules are judged by them."""

from __future__ import annotations

from typing import Final

from benchmarks.notcontent.filling import Template

# fmt: off
# ruff: noqa: E501
SECOND: Final = (
    # -- block pages -----------------------------------------------------------------------------
    Template("tencent-waf", "blocked", '<html><head><title>501</title></head><body><div class="ctn"><div class="img"></div><p class="t1">很抱歉，您提交的请求可能对网站造成威胁，请求已被管理员设置的策略阻断</p><p>您的本次请求ID为：<span>{id}</span></p><p>如您在正常访问网站时遇到此页面，请复制请求ID并反馈给网站管理员</p></div></body></html>'),
    Template("huawei-waf", "blocked", '<html><head><title>访问被拦截！</title></head><body><div class="c"><h1>您的请求疑似攻击行为！</h1><p>如果您是网站管理员，请前往Web应用防火墙控制台的“防护事件”页面进行误报屏蔽。</p><p>事件ID：{id}</p></div></body></html>', 418),
    Template("chuangyu", "blocked", '<html><head><title>{host} | 创宇盾</title></head><body><div class="wrap"><h2>当前访问疑似黑客攻击，已被创宇盾拦截。</h2><dl><dt>出现该页面的原因：</dt><dd>1.您的请求是黑客攻击</dd><dd>2.您的请求合法但触发了安全规则，请提交问题反馈</dd></dl><p>拦截时间：{time}</p><p>您的IP：{ip}</p></div></body></html>', 403),
    Template("crawler-notice", "blocked", '<html><head><title>{site}</title></head><body><div class="header"><ul>{nav}</ul></div><div class="main"><h3>温馨提示</h3><p>我们监测到您所在的网络有大量自动化请求，为保障其他读者的体验，暂时无法为您提供服务。请于二十四小时后重试，或致电客服解除。</p></div><div class="footer">{foot}</div></body></html>'),
    Template("akamai", "blocked", '<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>You don\'t have permission to access "http://{host}/content/{n}.html" on this server.<P>Reference #18.{id}.1700000000.5a6b7c</BODY></HTML>', 403),
    Template("iis-403", "blocked", '<html><head><title>403 - 禁止访问: 访问被拒绝。</title></head><body><div id="header"><h1>服务器错误</h1></div><div id="content"><fieldset><h2>403 - 禁止访问: 访问被拒绝。</h2><h3>您无权使用所提供的凭据查看此目录或页面。</h3></fieldset></div></body></html>', 403),
    Template("too-fast", "blocked", '<html><body>您点得太快啦，休息一下再来吧~<br><a href="javascript:history.back()">返回</a></body></html>'),
    # -- captchas --------------------------------------------------------------------------------
    Template("geetest", "captcha", '<html><head><title>访问验证</title><script src="gt.js"></script></head><body><div class="box"><div class="tip">点击按钮进行验证</div><div id="captcha"></div><p>系统检测到您的网络环境存在异常，为保证您的正常访问，请进行验证</p><p>IP：{ip}</p></div></body></html>'),
    Template("turnstile", "captcha", '<html><head><title>{host}</title></head><body><h1>{host}</h1><p>Verify you are human by completing the action below.</p><p>{host} needs to review the security of your connection before proceeding.</p><p>Ray ID: {id}</p></body></html>', 403),
    Template("picture-code", "captcha", '<html><head><title>请输入验证码 - {site}</title></head><body><ul class="menu">{nav}</ul><form><p>看不清？换一张</p><input name="yzm"><button>确定</button></form><p>{foot}</p></body></html>'),
    Template("word-order", "captcha", '<html><body><div class="verify-wrap"><div class="verify-title">请依次点击图中的汉字</div><div class="verify-img"></div><div class="verify-bar">验证失败，请重试</div></div><script>{junk}</script></body></html>'),
    Template("sogou", "captcha", '<html><head><title>{site}</title></head><body><p class="p2">您的访问出错了</p><p>用户您好，我们的系统检测到您网络中存在异常访问请求。此验证码用于确认这些请求是您的正常行为而不是自动程序发出的，需要您协助验证。</p><p>验证码：<input></p><p>IP：{ip} 访问时间：{time}</p></body></html>', path="/antispider/"),
    Template("google-sorry", "captcha", '<html><head><title>http://{host}/content/{n}.html</title></head><body><b>About this page</b><br>Our systems have detected unusual traffic from your computer network. This page checks to see if it\'s really you sending the requests, and not a robot.<br>IP address: {ip}<br>Time: {time}</body></html>', 429),
    # -- login walls -----------------------------------------------------------------------------
    Template("members", "login", '<html><head><title>{site}会员中心</title></head><body><ul>{nav}</ul><div class="notice">本栏目内容仅对注册会员开放，请您登录或注册后浏览全文。</div><p>{foot}</p></body></html>'),
    Template("phpwind", "login", '<html><head><title>{site} - 出错提示</title></head><body><div id="nav"><ul>{nav}</ul></div><div class="error"><h4>你还没有登录或注册，暂时不能使用此功能!!</h4><ul><li>请返回</li></ul><form>账号<input> 密码<input type="password"><input type="submit" value="登 录"></form></div><div>{foot}</div></body></html>'),
    Template("scan-code", "login", '<html><head><title>登录</title></head><body><div class="qr"><p>微信扫一扫，关注公众号后自动登录</p><img src="/qr.png"><p>登录即代表同意《用户协议》和《隐私政策》</p></div></body></html>'),
    Template("intranet", "login", '<html><head><title>提示信息</title></head><body><h2>对不起，您没有访问该信息的权限</h2><p>该信息仅限校内IP地址浏览，校外用户请通过VPN访问。</p></body></html>'),
    Template("admin", "login", '<html><head><title>{site}管理系统</title></head><body><form><h3>{site}内容管理系统</h3>用户名：<input name="user"><br>密　码：<input type="password"><br>验证码：<input name="code"><img src="/code"><br><input type="submit" value="登录"><input type="reset" value="重置"></form><div>技术支持：某软件公司</div></body></html>', path="/admin/login.aspx"),
    Template("subscribe", "login", '<html><head><title>{site}</title></head><body><header><ul>{nav}</ul></header><main><h2>Members only</h2><p>This content is available to registered users. Please log in to your account to continue reading.</p><p>New here? Register for free.</p></main><footer>{foot}</footer></body></html>'),
    # -- soft 404 --------------------------------------------------------------------------------
    Template("goods-off", "soft-404", '<html><head><title>{site}</title></head><body><ul>{nav}</ul><div class="empty">啊哦，您查看的宝贝已经下架了</div><h3>看了又看</h3><ul>{hot}</ul><p>{foot}</p></body></html>'),
    Template("discuz-gone", "soft-404", '<html><head><title>提示信息 - {site}</title></head><body><div id="nv"><ul>{nav}</ul></div><div id="messagetext"><p>抱歉，指定的主题不存在或已被删除或正在被审核</p><p><a href="javascript:history.back()">[ 点击这里返回上一页 ]</a></p></div><div id="ft">{foot}</div></body></html>'),
    Template("thinkphp", "soft-404", '<html><head><title>系统发生错误</title></head><body><div class="error"><p class="face">:(</p><h1>无法加载控制器:Content</h1><div class="content"><h3>错误位置</h3><p>FILE: /www/ThinkPHP/Library/Think/App.class.php &#12288;LINE: 103</p></div></div><p>ThinkPHP 3.2.3 { Fast &amp; Simple OOP PHP Framework }</p></body></html>'),
    Template("empty-record", "soft-404", '<html><head><title>{site}</title></head><body><script>alert("参数错误！该记录不存在");history.go(-1);</script><p>参数错误！该记录不存在</p></body></html>'),
    Template("django", "soft-404", '<html><head><title>Page not found at /content/{n}.html</title></head><body><h1>Page not found <span>(404)</span></h1><table><tr><th>Request Method:</th><td>GET</td></tr><tr><th>Request URL:</th><td>http://{host}/content/{n}.html</td></tr></table><p>Using the URLconf defined in site.urls, Django tried these URL patterns, in this order:</p><p>The current path didn\'t match any of these.</p></body></html>'),
    Template("maintenance", "soft-404", '<html><head><title>{site}</title></head><body><div style="text-align:center"><img src="/logo.png"><h2>网站正在升级改造中，敬请期待</h2><p>Website is under construction</p></div></body></html>'),
    Template("expired-vhost", "soft-404", '<html><head><title>没有找到站点</title></head><body><h1>没有找到站点</h1><p>您的请求在Web服务器中没有找到对应的站点！</p><p>可能原因：您没有将此域名或IP绑定到对应站点! 配置文件未生效!</p></body></html>'),
    Template("violation", "soft-404", '<html><head><title></title></head><body><div class="msg"><h2>此内容因违规无法查看</h2><p>由用户投诉并经平台审核，涉嫌违反相关法律法规和政策，查看对应规则</p></div></body></html>'),
    Template("charity-404", "soft-404", '<html><head><title>{site}</title><script src="//qzonestyle.gtimg.cn/qzone/hybrid/app/404/search_children.js" homePageUrl="/"></script></head><body><div>404，页面去旅行了</div><a href="/">回首页看看</a></body></html>'),
    # -- shells ----------------------------------------------------------------------------------
    Template("next", "shell", '<html><head><title>{site}-资讯详情</title></head><body><div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"props":{}}</script><script src="/_next/main.js"></script></body></html>'),
    Template("angular", "shell", '<html><head><title>{site}</title><base href="/"></head><body><app-root></app-root><script src="runtime.js"></script><script src="polyfills.js"></script></body></html>'),
    Template("noscript-cn", "shell", '<html><head><title>{site}</title></head><body><noscript>您的浏览器禁用了JavaScript，请开启后刷新页面</noscript><section id="main-app"></section><script>{junk}</script></body></html>'),
    Template("cookie-js", "shell", '<html><head><script>{junk}document.cookie="__jsl="+1;location.href=location.pathname+location.search</script></head></html>', 521),
    Template("iframe-only", "shell", '<html><head><title>{site}</title></head><body style="margin:0"><iframe src="/inner/{n}.html" width="100%" height="100%"></iframe></body></html>'),
    Template("jump", "shell", '<html><head><title>页面跳转中</title></head><body>正在为您跳转，如果没有自动跳转，请<a href="/m/{n}.html">点击这里</a><script>setTimeout(function(){location.replace("/m/{n}.html")},500)</script></body></html>'),
    Template("old-browser", "shell", '<html><head><title>{site}</title></head><body><div id="app"><div class="loader"><span>努力加载中...</span></div></div><p class="browsehappy">您的浏览器版本过低，请升级浏览器后访问</p><script src="/umi.js"></script></body></html>'),
)
# fmt: on
