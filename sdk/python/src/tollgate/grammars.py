"""The grammars of the wire: ASCII only, whole strings, nothing coerced.

``fullmatch`` throughout: ``$`` would let a trailing newline pass. ``\\d`` and ``\\w`` are not used: they know Unicode.
"""

import binascii
import re
from typing import Callable, Optional

Grammar = Callable[[object], bool]

#: The largest integer that every JSON reader keeps exact.
MAX_SAFE_INTEGER = 2**53 - 1

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _text(pattern: str) -> Grammar:
    compiled = re.compile(pattern)
    return lambda value: isinstance(value, str) and compiled.fullmatch(value) is not None


def _whole(lowest: int, highest: int) -> Grammar:
    return lambda value: read_whole(value, lowest, highest) is not None


def read_whole(value: object, lowest: int, highest: int = MAX_SAFE_INTEGER) -> Optional[int]:
    """The value as an integer if it is one within these bounds: ``900.0`` is, as on the wire; ``True`` is not."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    # compared before it is converted: infinity and NaN cannot be converted
    return int(value) if lowest <= value <= highest and value == int(value) else None


_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"

is_name = _text("[A-Za-z0-9_-]{1,64}")
is_key = _text("[A-Za-z0-9_-]{16,128}")
is_hmac = _text("[0-9a-f]{64}")
is_uuid = _text("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
is_hostname = _text(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*")
is_sitekey = _text("tg_site_[0-9A-Za-z]{20}")
is_decision_id = _text("dec_[A-Za-z0-9_-]{1,60}")
is_token = _text("tgr_[A-Za-z0-9_-]{1,508}")
is_outcome = _text("confirmed_abuse|legitimate|unknown")
is_unix_seconds = _whole(0, MAX_SAFE_INTEGER)
is_ttl = _whole(60, 3600)
is_uses = _whole(1, 10)

_has_secret_form = _text("tg_secret_[0-9A-Za-z]{49}")


def checksum62(text: str) -> str:
    """CRC-32 (IEEE) of ASCII text as six digits of base 62."""
    rest = binascii.crc32(text.encode("ascii"))
    digits = ""
    for _ in range(6):
        rest, digit = divmod(rest, 62)
        digits = _BASE62[digit] + digits
    return digits


def is_secret(value: object) -> bool:
    """Whether the value has a secret key's form and its checksum is right."""
    return isinstance(value, str) and _has_secret_form(value) and checksum62(value[:-6]) == value[-6:]


def is_response_token(value: object) -> bool:
    """Whether a submitted field has the shape of a response token.

    Use it to check whether the visitor had finished the check, before a submission is frozen. It does not check
    the token itself; only ``verify`` does.
    """
    return is_token(value)
