"""The published test keys: in every deployment that has not turned them off, never billed, valid for any hostname."""

from types import MappingProxyType
from typing import Mapping, TypedDict

from .grammars import checksum62


class SiteKeys(TypedDict):
    """The arguments for ``Tollgate(url=…, **keys)``."""

    sitekey: str
    secret: str


def _keys_of(name: str) -> SiteKeys:
    body = f"tg_secret_{name.ljust(43, '0')}"
    return {"sitekey": f"tg_site_{name.ljust(20, '0')}", "secret": body + checksum62(body)}


#: By behaviour: ``pass`` the real flow with trivial work, ``hard`` with seconds of it; ``fail`` at ``/solve``;
#: ``spent``, ``expired``, ``quota`` and ``down`` at ``/siteverify``; ``limit`` at ``/intents``. Their secrets are
#: public: never use them in production.
TEST_KEYS: Mapping[str, SiteKeys] = MappingProxyType(
    {name: _keys_of(f"TEST{name}") for name in ("pass", "hard", "fail", "spent", "expired", "quota", "limit", "down")}
)
