"""The example merchants, each started with its own command, and a visitor's browser."""

import http.cookiejar
import importlib.util
import json
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple, TypeVar

import tollgate
from deployment import KEYS, URL

ROOT = Path(__file__).resolve().parents[3]
PYTHON_SOURCE = ROOT / "sdk" / "python" / "src"
TOKEN = "svc-captcha-response"

T = TypeVar("T")
Fields = Dict[str, str]


def needs(module: str) -> Callable[[T], T]:
    """Skips a test if a framework is missing, except in CI, which installs them all."""
    found = importlib.util.find_spec(module) is not None or "CI" in os.environ
    return unittest.skipUnless(found, f"{module} is not installed")


class Kind(NamedTuple):
    """An example program."""

    #: below the repository
    script: str
    path: str
    #: the visitor's input, and the same with one field changed
    typed: Mapping[str, str]
    changed: Mapping[str, str]
    #: the executed actions as text
    rows: str
    #: the names of its settings if not PORT, DATABASE and SESSION_KEY
    settings: Mapping[str, str] = {}


_EMAIL = {"email": "ada@example.com"}
_OTHER = {"email": "eve@example.com"}
FLASK = Kind("sdk/python/examples/flask_app.py", "/signup", _EMAIL, _OTHER, "select email from subscribers")
DJANGO = Kind("sdk/python/examples/django_app.py", "/signup", _EMAIL, _OTHER, "select email from signup_subscriber")
SHOP = Kind(
    "examples/shop-python/shop.py",
    "/checkout",
    {"product": "bell", "quantity": "1", "name": "Ada", "address": "12 Square\r\nLondon", **_EMAIL},
    {"quantity": "9"},
    "select payload from orders",
    {"PORT": "SHOP_PORT", "DATABASE": "SHOP_DATABASE", "SESSION_KEY": "SHOP_SESSION_KEY"},
)


class Merchant:
    """A merchant in its own process, with its records in a file."""

    def __init__(
        self, kind: Kind, keys: tollgate.SiteKeys = KEYS, url: str = URL, deadline: Optional[int] = None
    ) -> None:
        """``deadline``: seconds that the shop waits for Tollgate; the other examples wait as long as the client does."""
        self.kind = kind
        self.session_key = "a key of the merchant alone"
        self._folder = tempfile.TemporaryDirectory()
        self._log = (Path(self._folder.name) / "log").open("w+b")
        self.database = str(Path(self._folder.name) / "records.sqlite3")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.url = f"http://localhost:{self._port}{kind.path}"
        settings = {"PORT": str(self._port), "DATABASE": self.database, "SESSION_KEY": self.session_key}
        self._process = subprocess.Popen(
            [sys.executable, str(ROOT / kind.script)],
            stdout=self._log,
            stderr=subprocess.STDOUT,
            env={
                "PATH": os.environ.get("PATH", ""),
                "PYTHONPATH": str(PYTHON_SOURCE),
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONUNBUFFERED": "1",
                "TOLLGATE_URL": url,
                "TOLLGATE_SITEKEY": keys["sitekey"],
                "TOLLGATE_SECRET": keys["secret"],
                **{kind.settings.get(name, name): value for name, value in settings.items()},
                **({} if deadline is None else {"SHOP_DEADLINE": str(deadline)}),
            },
        )
        try:
            self._wait()
        except BaseException:
            self.close()
            raise

    def _wait(self) -> None:
        for _ in range(600):
            if self._process.poll() is not None:
                raise RuntimeError(f"{self.kind.script} did not start:\n{self.logs()}")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self._port)) == 0:
                    return
            time.sleep(0.1)
        raise RuntimeError(f"{self.kind.script} does not listen:\n{self.logs()}")

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()
        self._log.close()
        self._folder.cleanup()

    def logs(self) -> str:
        self._log.seek(0)
        return self._log.read().decode("utf-8", "replace")

    def executed(self) -> List[str]:
        """The executed actions, one text each."""
        return [str(row[0]) for row in self.query(self.kind.rows)]

    def query(self, statement: str) -> List[Tuple[Any, ...]]:
        records = sqlite3.connect(self.database, timeout=20)
        try:
            with records:
                return records.execute(statement).fetchall()
        finally:
            records.close()


class Page(NamedTuple):
    status: int
    headers: Mapping[str, str]
    text: str
    #: of the page's form; empty without one
    fields: Fields
    intent_id: Optional[str]

    def filled(self, **fields: str) -> Fields:
        return {**self.fields, **fields}


class Visitor:
    """A browser with its own session: keeps cookies, follows redirections, runs no scripts."""

    def __init__(self, merchant: Merchant) -> None:
        self.merchant = merchant
        self.cookies = http.cookiejar.CookieJar()
        self.pages: List[Page] = []

    def open(self, query: str = "") -> Page:
        return self._exchange(urllib.request.Request(self.merchant.url + query))

    def send(self, fields: Mapping[str, str]) -> Page:
        return self._exchange(urllib.request.Request(self.merchant.url, urllib.parse.urlencode(fields).encode()))

    def session_values(self) -> List[str]:
        return [cookie.value for cookie in self.cookies if cookie.value]

    def _exchange(self, request: urllib.request.Request) -> Page:
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self.cookies)
        )
        try:
            with opener.open(request, timeout=60) as reply:
                page = _read(reply.status, reply.headers, reply.read())
        except urllib.error.HTTPError as error:
            with error:
                page = _read(error.code, error.headers, error.read())
        self.pages.append(page)
        return page


def _read(status: int, headers: Any, body: bytes) -> Page:
    form = _Form()
    text = body.decode("utf-8")
    form.feed(text)
    return Page(status, dict(headers.items()), text, form.fields, form.intent_id)


class _Form(HTMLParser):
    """The text fields that a browser would send without input."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: Fields = {}
        self.intent_id: Optional[str] = None

    def handle_starttag(self, tag: str, attrs: "List[Tuple[str, Optional[str]]]") -> None:
        about = dict(attrs)
        name = about.get("name")
        if tag == "input" and name is not None and about.get("type") != "radio":
            self.fields[name] = about.get("value") or ""
        if about.get("class") == "svc-captcha":
            self.intent_id = about.get("data-intent")


def answer(status: int, code: str, **headers: str) -> Dict[str, Any]:
    """A fault in place of the service's answer; the request is still carried out unless ``reaches`` is false."""
    return {"kind": "answer", "status": status, "headers": headers, "body": json.dumps({"error": code})}
