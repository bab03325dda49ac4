"""The component's HTML for a page. Template engines that escape (Jinja, Django) do not escape it again."""

import re
from typing import Callable, List, Optional, Tuple

from .grammars import is_sitekey, is_uuid, read_whole
from .options import read_base_url

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", "`": "&#96;"})


class Html(str):
    """Markup that is safe to put into a page. Joined with other text, it becomes plain text again, which is escaped."""

    __slots__ = ()

    def __html__(self) -> "Html":
        return self


def render_widget(
    *,
    url: str,
    sitekey: str,
    intent_id: str,
    theme: Optional[str] = None,
    size: Optional[str] = None,
    language: Optional[str] = None,
    start: Optional[str] = None,
    renew: Optional[str] = None,
    callback: Optional[str] = None,
    error_callback: Optional[str] = None,
    expired_callback: Optional[str] = None,
    response_field_name: Optional[str] = None,
    tabindex: Optional[int] = None,
    noscript: Optional[str] = None,
) -> Html:
    """The component's element, to put inside the form.

    Args:
        url: the service's address for browsers
        sitekey: the site's public key
        intent_id: of the intent that was opened for this form
        theme: ``auto``, ``light`` or ``dark``
        size: ``normal``, ``compact``, ``flexible`` or ``invisible``
        language: a BCP 47 tag such as ``de``; absent means the page's
        start: ``auto``, ``focus`` or ``submit``
        renew: a path of your own server, such as ``/signup/intent``, that returns a new intent once this one has expired
        callback, error_callback, expired_callback: names of global functions: ``(token)``, ``(code)``, ``()``
        response_field_name: of the hidden field; absent means ``svc-captcha-response``
        tabindex: a number
        noscript: text for browsers without JavaScript

    Raises:
        ValueError: the component would not accept an option; the message names it
    """
    attributes: List[Tuple[str, Optional[str]]] = [
        ("class", "svc-captcha"),
        ("data-sitekey", _check("sitekey", sitekey, is_sitekey)),
        ("data-intent", _check("intent_id", intent_id, is_uuid).lower()),
        ("data-endpoint", read_base_url(url)),
        ("data-theme", _choose("theme", theme, "auto", "light", "dark")),
        ("data-size", _choose("size", size, "normal", "compact", "flexible", "invisible")),
        ("data-language", _optional("language", language, _fits("[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8})*", 64))),
        ("data-start", _choose("start", start, "auto", "focus", "submit")),
        ("data-renew", _optional("renew", renew, _is_path)),
        ("data-callback", _optional("callback", callback, _is_function)),
        ("data-error-callback", _optional("error_callback", error_callback, _is_function)),
        ("data-expired-callback", _optional("expired_callback", expired_callback, _is_function)),
        ("data-response-field-name", _optional("response_field_name", response_field_name, _is_text)),
        ("data-tabindex", _index(tabindex)),
    ]
    box = " ".join(f'{name}="{_escape(value)}"' for name, value in attributes if value is not None)
    words = _optional("noscript", noscript, _is_text)
    return Html(f"<div {box}></div>" + ("" if words is None else f"<noscript>{_escape(words)}</noscript>"))


def render_script(*, url: str, nonce: Optional[str] = None) -> Html:
    """The component's script, once per page.

    Args:
        url: the service's address for browsers
        nonce: the page's Content-Security-Policy nonce

    Raises:
        ValueError: the address or the nonce is malformed
    """
    source = f'<script src="{_escape(read_base_url(url))}/widget.js" async defer'
    value = _optional("nonce", nonce, _fits("[A-Za-z0-9+/_-]+={0,2}", 512))
    return Html(source + ("" if value is None else f' nonce="{value}"') + "></script>")


def _escape(text: str) -> str:
    return text.translate(_ENTITIES)


def _check(name: str, value: object, accepts: Callable[[str], bool]) -> str:
    if not isinstance(value, str) or not accepts(value):
        raise ValueError(f"tollgate: {name} is missing, or the component does not know this value")
    return value


def _optional(name: str, value: object, accepts: Callable[[str], bool]) -> Optional[str]:
    return None if value is None else _check(name, value, accepts)


def _choose(name: str, value: object, *choices: str) -> Optional[str]:
    if value is not None and value not in choices:
        raise ValueError(f"tollgate: {name} must be one of {', '.join(choices)}")
    return _optional(name, value, lambda _: True)


def _fits(pattern: str, longest: int) -> Callable[[str], bool]:
    compiled = re.compile(pattern)
    return lambda value: len(value) <= longest and compiled.fullmatch(value) is not None


_is_function = _fits(r"[A-Za-z_$][A-Za-z0-9_$]*(?:\.[A-Za-z_$][A-Za-z0-9_$]*)*", 128)


def _is_text(value: str) -> bool:
    return value != "" and _CONTROL.search(value) is None


def _is_path(value: str) -> bool:
    # on the page's own origin: two slashes, or a backslash, would start a host name
    return re.match(r"/(?![/\\])", value) is not None and _is_text(value)


def _index(value: object) -> Optional[str]:
    if value is None:
        return None
    index = read_whole(value, -32768, 32767)
    if index is None:
        raise ValueError("tollgate: tabindex must be a whole number")
    return str(index)
