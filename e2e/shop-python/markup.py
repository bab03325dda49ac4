"""Markup that is safe to send: whatever is put into a template is text, unless it is markup itself."""

from html import escape
from typing import Iterable, Optional, Union

from tollgate import Html

#: What may stand in a template: None draws nothing, a list draws its members one after the other.
Part = Union[str, int, None, Iterable["Part"]]


def draw(template: str, **parts: Part) -> Html:
    """A template with ``{names}``, as markup. Attribute values must be quoted."""
    return Html(template.format(**{name: _text_of(part) for name, part in parts.items()}))


def _text_of(part: Part) -> str:
    if part is None:
        return ""
    if isinstance(part, Html):
        return str(part)
    if isinstance(part, (str, int)):
        return escape(str(part))
    return "".join(map(_text_of, part))


def when(condition: object, markup: Html) -> Optional[Html]:
    return markup if condition else None
