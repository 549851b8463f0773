"""Templates that were written together with the rules, and on which the model is fitted."""

from __future__ import annotations

from typing import Final

from benchmarks.notcontent.filling import Template

# fmt: off
# ruff: noqa: E501
FIRST: Final = (
    # -- block pages -----------------------------------------------------------------------------
    Template("yundun", "blocked", '<html><head><title>405</title></head><body><div class="main"><h3>很抱歉，由于您访问的URL有可能对网站造成安全威胁，您的访问被阻断。</h3><p>您的请求ID是: <strong>{id}</strong></p><a href="/">返回首页</a></div></body></html>', 405),
    Template("frequent", "blocked", '<html><head><title>{site}</title></head><body><ul class="nav">{nav}</ul><div class="msg">您的访问过于频繁，请稍后再试。</div><div class="footer">{foot}</div></body></html>'),
    Template("anquangou", "blocked", '<html><head><title>网站防火墙</title></head><body><h1>网站防火墙</h1><p>您的请求带有不合法参数，已被网站管理员设置拦截！</p><p>可能原因：您提交的内容包含危险的攻击请求</p><p>如何解决：1）检查提交内容；2）如网站托管，请联系空间提供商；3）普通网站访客，请联系网站管理员；</p></body></html>'),
    Template("cloudflare-1020", "blocked", '<html><head><title>Access denied | {host} used Cloudflare to restrict access</title></head><body><h1>Error 1020</h1><h2>Access denied</h2><h3>What happened?</h3><p>This website is using a security service to protect itself from online attacks.</p><p>Cloudflare Ray ID: {id} • Your IP: {ip} • Performance &amp; security by Cloudflare</p></body></html>', 403),
    Template("nginx-403", "blocked", '<html><head><title>403 Forbidden</title></head><body><center><h1>403 Forbidden</h1></center><hr><center>nginx</center></body></html>'),
    Template("ip-limit", "blocked", '<html><head><title>系统提示</title></head><body><div class="box"><p>系统检测到您的IP（{ip}）存在异常访问行为，已限制访问，解封时间：{time}。</p><p>如有疑问请联系客服，并提供编号 {id}</p></div></body></html>'),
    # -- captchas --------------------------------------------------------------------------------
    Template("slider", "captcha", '<html><head><title>安全验证</title><script>{junk}</script></head><body><div id="nc"><p>访问验证</p><p>请按住滑块，拖动到最右边</p></div><p>为保护您的账号安全，请完成验证后继续访问</p></body></html>'),
    Template("just-a-moment", "captcha", '<html><head><title>Just a moment...</title><meta http-equiv="refresh" content="390"><script>{junk}</script></head><body><noscript>Enable JavaScript and cookies to continue</noscript></body></html>', 403),
    Template("code-form", "captcha", '<html><head><title>{site}</title></head><body><form action="/v"><p>您的操作过于频繁，请输入验证码继续访问</p><img src="/code.png"><input name="code"><input type="submit" value="提交"></form><p>{foot}</p></body></html>'),
    Template("recaptcha", "captcha", '<html><head><title>{site}</title><script src="https://www.recaptcha.net/recaptcha/api.js"></script></head><body><h1>Are you a robot?</h1><p>To continue, please confirm that you are a human being and not a bot.</p><div class="g-recaptcha"></div></body></html>'),
    Template("baidu-like", "captcha", '<html><head><title>{site}安全验证</title></head><body><div class="timeout hide"><div class="timeout-title">网络不给力，请稍后重试</div><button>返回首页</button></div><div class="feedback">问题反馈</div></body></html>', path="/static/captcha/tuxing.html"),
    Template("browser-check", "captcha", '<html><head><title>浏览器安全检查中...</title><script>{junk}</script></head><body><h2>正在检查您的浏览器</h2><p>此过程是自动的，您的浏览器将在 {s} 秒内跳转到您请求的页面。</p><p>DDoS 防护由高防提供</p></body></html>', 503),
    # -- login walls -----------------------------------------------------------------------------
    Template("login-form", "login", '<html><head><title>用户登录 - {site}</title></head><body><div class="logo">{site}</div><form method="post"><label>用户名</label><input name="u"><label>密码</label><input type="password" name="p"><label><input type="checkbox">记住我</label><button>登录</button><a href="/forget">忘记密码</a><a href="/reg">立即注册</a></form></body></html>', path="/login.php"),
    Template("discuz", "login", '<html><head><title>提示信息 - {site} - Powered by Discuz!</title></head><body><div id="nv"><ul>{nav}</ul></div><div id="messagetext" class="alert_info"><p>抱歉，您尚未登录，没有权限访问该版块</p></div><form><span>用户名</span><input type="text"><span>密码</span><input type="password"><button>登录</button></form><div id="ft">{foot}</div></body></html>'),
    Template("please-log-in", "login", '<html><head><title>{site}</title></head><body><div>请登录后查看</div></body></html>'),
    Template("sso", "login", '<html><head><title>统一身份认证平台</title></head><body><div class="auth"><h2>统一身份认证</h2><p>账号登录 扫码登录</p><input placeholder="学号/工号"><input type="password"><p>首次登录请先激活账号</p><p>忘记密码请联系信息中心</p></div></body></html>', path="/cas/login"),
    Template("english-login", "login", '<html><head><title>Sign in - {site}</title></head><body><h1>Sign in to continue</h1><form><label>Email</label><input><label>Password</label><input type="password"><a href="/f">Forgot password?</a><p>Don\'t have an account? <a href="/r">Create an account</a></p></form></body></html>'),
    Template("expired-session", "login", '<html><head><title>提示</title></head><body><p>登录超时，请重新登录！</p><script>setTimeout("top.location.href=\'/login\'",3000)</script></body></html>'),
    # -- soft 404 --------------------------------------------------------------------------------
    Template("gone-article", "soft-404", '<html><head><title>{site}</title></head><body><ul class="nav">{nav}</ul><div class="tip"><p>抱歉，您访问的文章不存在或已被删除</p><p>{s} 秒后自动返回首页</p></div><div class="footer">{foot}</div></body></html>'),
    Template("404-hot", "soft-404", '<html><head><title>404 - {site}</title></head><body><ul class="nav">{nav}</ul><div><h1>404</h1><p>您要找的页面走丢了</p><a href="/">返回首页</a></div><div class="hot"><h3>热门文章</h3><ul>{hot}</ul></div><p>{foot}</p></body></html>'),
    Template("publisher-deleted", "soft-404", '<html><head><title></title></head><body><div class="weui-msg"><p>该内容已被发布者删除</p></div></body></html>'),
    Template("tomcat", "soft-404", '<html><head><title>Apache Tomcat/7.0.54 - Error report</title></head><body><h1>HTTP Status 404 - /content/{n}.html</h1><p><b>type</b> Status report</p><p><b>message</b> <u>/content/{n}.html</u></p><p><b>description</b> <u>The requested resource is not available.</u></p><h3>Apache Tomcat/7.0.54</h3></body></html>'),
    Template("asp-error", "soft-404", '<html><head><title>运行时错误</title></head><body><h1>“/”应用程序中的服务器错误。</h1><h2><i>运行时错误</i></h2><b>说明: </b>服务器上出现应用程序错误。此应用程序的当前自定义错误设置禁止远程查看应用程序错误的详细信息(出于安全原因)。<br><b>详细信息:</b> 若要使他人能够在远程计算机上查看此特定错误消息的详细信息，请在位于当前 Web 应用程序根目录下的“web.config”配置文件中创建一个 customErrors 标记。</body></html>', 500),
    Template("english-404", "soft-404", '<html><head><title>Page not found - {site}</title></head><body><nav><ul>{nav}</ul></nav><main><h1>Oops! That page can’t be found.</h1><p>It looks like nothing was found at this location. Maybe try a search?</p></main><footer>{foot}</footer></body></html>'),
    # -- shells ----------------------------------------------------------------------------------
    Template("vue", "shell", '<html><head><title>{site}</title><script src="/js/chunk-vendors.js"></script></head><body><noscript><strong>We\'re sorry but {site} doesn\'t work properly without JavaScript enabled. Please enable it to continue.</strong></noscript><div id="app"></div><script src="/js/app.js"></script></body></html>'),
    Template("react", "shell", '<html><head><title>{site}</title><meta name="description" content="{site}是领先的资讯平台"></head><body><div id="root"></div><script>window.__CONFIG__={};{junk}</script><script src="/static/js/main.js"></script></body></html>'),
    Template("enable-js", "shell", '<html><head><title>{site}</title></head><body><p>请启用 JavaScript 后重新访问本页面。</p><script>{junk}</script></body></html>'),
    Template("js-redirect", "shell", '<html><head></head><body><script>window.location.href="/m/{n}.html";</script></body></html>'),
    Template("frameset", "shell", '<html><head><title>{site}</title></head><frameset rows="80,*"><frame src="top.htm"><frame src="main.htm"><noframes><body>您的浏览器不支持框架</body></noframes></frameset></html>'),
    Template("loading", "shell", '<html><head><title>加载中...</title><script>{junk}</script></head><body><div class="spinner"></div><p>页面加载中，请稍候...</p><script src="/b.js"></script></body></html>'),
)
# fmt: on
