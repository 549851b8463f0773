"""Six login styles, written before the rules were tried on them."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets

from tests.support.login_server import PASSWORD, USER, Asked, LoginSite, Reply, redirect


class FormWithToken(LoginSite):
    """A form with a hidden token that is bound to a session which the page begins."""

    def login(self, asked: Asked) -> Reply:
        if asked.method == "GET":
            reply = Reply()
            token = secrets.token_hex(16)
            self.begin(reply, token=token)
            reply.body = f"""<title>登录</title>
<form action=/search><input name=q placeholder=搜索></form>
<form id=f method=post action="/login?next=/"><input type=hidden name=_token value="{token}">
<label for=u>用户名</label><input id=u name=username>
<label for=p>密码</label><input id=p name=password type=password>
<input type=checkbox name=remember value=1><button>登录</button></form>"""
            return reply
        session, form = self.session(asked), asked.form()
        if session is None or form.get("_token") != session.get("token"):
            return Reply("token", 419)
        if not self.accepts(form.get("username"), form.get("password")):
            return Reply("<p>用户名或密码错误</p><a href=/login>返回</a>")
        reply = redirect("/")
        self.begin(reply, user=USER)
        return reply


class DiscuzLike(LoginSite):
    """A GBK forum: ``formhash``, md5 of the password, a message page that refreshes to the front."""

    cookie_name = "cdb_auth"

    def wall(self, asked: Asked) -> Reply:
        return Reply(
            "<title>提示信息</title><p>您还没有登录，请登录后继续浏览</p>"
            '<a href="/member.php?mod=logging&action=login">登录</a>',
            charset="gbk",
        )

    def login(self, asked: Asked) -> Reply:
        if asked.path != "/member.php":
            return Reply("", 404)
        if asked.method == "GET":
            return Reply(
                """<html><head><meta charset=gbk><title>登录</title></head><body>
<form method="post" name="login" action="member.php?mod=logging&amp;action=login&amp;loginsubmit=yes">
<input type="hidden" name="formhash" value="a1b2c3d4"><table>
<tr><td>用户名<td><input type="text" name="username" size="30">
<tr><td>密码<td><input type="password" name="password">
<tr><td>安全提问<td><select name="questionid"><option value="0">未设置</option><option value=1>母亲的名字</select>
<tr><td><td><input type="submit" name="loginsubmit" value="登录"></table></form>""",
                charset="gbk",
            )
        form = asked.form("gbk")
        good = form.get("password") == hashlib.md5(PASSWORD.encode()).hexdigest()
        good &= form.get("formhash") == "a1b2c3d4" and form.get("questionid") == "0"
        good &= form.get("loginsubmit") == "登录"
        if not self.accepts(form.get("username"), PASSWORD if good else None):
            return Reply("<p>登录失败，您还可以尝试 4 次</p>", charset="gbk")
        reply = Reply(
            '<meta http-equiv="refresh" content="2;url=/index.php?welcome=1"><p>欢迎您回来</p>',
            charset="gbk",
        )
        self.begin(reply, user=USER)
        return reply


class JsonBearer(LoginSite):
    """A JSON login; its token is sent as a bearer."""

    def wall(self, asked: Asked) -> Reply:
        return Reply('{"error": "unauthorized"}', 401, kind="application/json")

    def session(self, asked: Asked) -> dict[str, object] | None:
        return self.sessions.get(asked.headers.get("authorization", "").removeprefix("Bearer "))

    def login(self, asked: Asked) -> Reply:
        if asked.path != "/api/v1/login" or asked.method != "POST":
            return Reply("", 404)
        data = asked.json()
        if not self.accepts(data.get("username"), data.get("password")):
            return Reply('{"code": 10010, "message": "密码错误"}', kind="application/json")
        token = secrets.token_urlsafe(40)
        self.sessions[token] = {"user": USER, "left": self.lasting}
        answer = {"code": 0, "data": {"accessToken": token, "user": {"id": 7}}}
        return Reply(json.dumps(answer), kind="application/json")


class Basic(LoginSite):
    """HTTP basic."""

    def may_see(self, asked: Asked) -> bool:
        given = asked.headers.get("authorization", "").removeprefix("Basic ")
        user, _, password = base64.b64decode(given).decode().partition(":")
        return bool(given) and self.accepts(user, password)

    def wall(self, asked: Asked) -> Reply:
        return Reply("no", 401, [("WWW-Authenticate", 'Basic realm="readers"')])


class TwoSteps(LoginSite):
    """The user's name on one page, the password on the next."""

    cookie_name = "JSESSIONID"

    def login(self, asked: Asked) -> Reply:
        if asked.path == "/login":
            return Reply("""<h1>登录</h1><form action=/login/name method=post>
<input type=email name=identifier autocomplete=username placeholder=邮箱或手机><button>下一步</button></form>""")
        if asked.path == "/login/name":
            reply = redirect("/login/password", 303)
            self.begin(reply, name=asked.form().get("identifier"))
            return reply
        session = self.session(asked)
        if asked.path != "/login/password" or session is None:
            return Reply("", 404)
        if asked.method == "GET":
            return Reply("""<p>欢迎</p><form method=post><input type=password name=pw
autocomplete=current-password><button type=submit>登录</button></form>""")
        if not self.accepts(session["name"], asked.form().get("pw")):
            return Reply("<form method=post><p>密码错误<input type=password name=pw></form>")
        session["user"] = USER
        return redirect("/")


class CookiesOnly(LoginSite):
    """A session that a person began in a browser."""

    def __init__(self) -> None:
        super().__init__()
        self.sessions["from-the-browser-0123456789"] = {"user": USER, "left": self.lasting}


SIX = (FormWithToken, DiscuzLike, JsonBearer, Basic, TwoSteps, CookiesOnly)
#: Their tables in logins.toml.
TEXTS = {
    FormWithToken: 'url = "{url}/login"\nSECRETS',
    DiscuzLike: 'url = "{url}/member.php?mod=logging&action=login"\ntransform = "md5"\nSECRETS',
    JsonBearer: 'kind = "json"\nurl = "{url}/api/v1/login"\nSECRETS',
    Basic: 'kind = "basic"\nurl = "{url}/p/1.html"\nSECRETS',
    TwoSteps: 'url = "{url}/login"\nSECRETS',
    CookiesOnly: 'kind = "cookies"\nurl = "{url}/login"\ncookies_file = "cookies.json"',
}
