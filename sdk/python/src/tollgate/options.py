"""A client's options, checked once, before any request."""

import math
import re
import ssl
from typing import NamedTuple, NoReturn, Optional
from urllib.parse import urlsplit

from .keys import Keys

_URL = re.compile(r"https?://[A-Za-z0-9.\[\]:-]+(?:/[A-Za-z0-9/._~!$&'()*+,;=:%-]*)?", re.IGNORECASE)
_HOST = re.compile(r"[0-9a-z](?:[0-9a-z.-]{0,251}[0-9a-z])?|[0-9a-f:.]*:[0-9a-f:.]*")
_LOOPBACK = re.compile(r"(?:[0-9a-z.-]+\.)?localhost|127(?:\.[0-9]{1,3}){3}|::1")


class Address(NamedTuple):
    """The address of the service."""

    host: str
    port: int
    #: The Host header.
    authority: str
    #: The prefix of all paths: empty, or a path without a trailing slash.
    base: str
    #: None over plain HTTP.
    tls: Optional[ssl.SSLContext]


class Options(NamedTuple):
    """The checked options of a client. Times in seconds."""

    address: Address
    keys: Keys
    timeout: float
    deadline: float


class Client:
    """The common part of both clients."""

    __slots__ = ("_options",)

    def __init__(
        self,
        *,
        url: str,
        sitekey: str,
        secret: str,
        timeout: float = 5.0,
        deadline: float = 12.0,
        allow_insecure: bool = False,
    ) -> None:
        keys = Keys(sitekey, secret)
        # error reporters show the local variables of all frames of an exception
        del sitekey, secret
        self._options = _read_options(url, keys, timeout, deadline, allow_insecure)

    def __repr__(self) -> str:
        # an error reporter may call this before the object is complete
        options: Optional[Options] = getattr(self, "_options", None)
        about = "" if options is None else f"{options.keys.sitekey} at {options.address.authority}"
        return f"{type(self).__name__}({about})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Tollgate client is not pickled or copied: share it, or make one in each process")


def _read_options(url: object, keys: Keys, timeout: object, deadline: object, allow_insecure: bool) -> Options:
    """Checks every option.

    Raises:
        ValueError: an option is unusable; the message says which and what to do, and quotes no key.
    """
    address = _read_url(url, allow_insecure)
    fault = keys.find_fault()
    if fault is not None:
        raise ValueError(f"tollgate: {fault}")
    return Options(address, keys, _read_seconds("timeout", timeout), _read_seconds("deadline", deadline))


def read_base_url(url: object) -> str:
    """The service's base address for a page: checked, without a trailing slash."""
    return _split(url)[0]


def _read_url(url: object, allow_insecure: bool) -> Address:
    base, scheme, host, port, path = _split(url)
    if scheme == "http" and not allow_insecure and _LOOPBACK.fullmatch(host) is None:
        raise ValueError(
            "tollgate: url is http:, over which anybody on the way can read the secret: use https:, "
            "or pass allow_insecure=True if the network in between is yours"
        )
    authority = base.split("//", 1)[1].split("/", 1)[0]
    secure = scheme == "https"
    return Address(host, port or (443 if secure else 80), authority, path, _open_tls() if secure else None)


def _split(url: object) -> "tuple[str, str, str, Optional[int], str]":
    """Base, scheme, host, port and path."""
    expected = (
        "tollgate: url must be the service's address, such as https://tollgate.example, in ASCII (names in Punycode), "
        "without user name, query or fragment"
    )
    if url is None or url == "":
        raise ValueError(f"tollgate: url is {'empty' if url == '' else 'None'}: is its environment variable set?")
    # before urlsplit, which silently drops tabs and newlines
    if not isinstance(url, str) or _URL.fullmatch(url) is None:
        raise ValueError(expected)
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError(expected) from None
    if _HOST.fullmatch(host) is None:
        raise ValueError(expected)
    return url.rstrip("/"), parts.scheme, host, port, parts.path.rstrip("/")


def _read_seconds(name: str, value: object) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value > 0:
        return float(value)
    raise ValueError(f"tollgate: {name} must be a number of seconds above 0")


def _open_tls() -> ssl.SSLContext:
    # Python 3.9 still allows TLS 1.0
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    return context
