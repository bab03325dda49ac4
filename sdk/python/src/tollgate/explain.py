"""Explains which rule a value breaks, without repeating the value, which may be visitor data."""

import re
from typing import Optional

from .messages import COMMON, FIELDS


def explain_offence(field: str, value: object) -> str:
    """The rule of a field, and what is wrong with this value."""
    reason = _reason_of(field, value)
    return f"`{field}` {FIELDS[field]['rule']}" + ("" if reason is None else f": {reason}")


def explain_choice(field: str) -> str:
    """Exactly one of grant and session is required."""
    return f"`{field}`: {COMMON['one_of']}"


def explain_refusal(field: str) -> str:
    """Why the service refused a well-formed field; a malformed one would not have been sent."""
    return f"`{field}` {FIELDS.get(field, {}).get('service', COMMON['service'])}"


def _reason_of(field: str, value: object) -> Optional[str]:
    texts = FIELDS[field]
    if value is None:
        return str(texts.get("missing", COMMON["missing"]))
    if value == "":
        return str(texts.get("empty", COMMON["empty"]))
    if texts.get("number"):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return COMMON["not_number"]
        return None if isinstance(value, int) or value.is_integer() else COMMON["not_whole"]
    if not isinstance(value, str):
        return COMMON["not_text"]
    return next((str(hint["says"]) for hint in texts["hints"] if re.search(hint["pattern"], value)), None)
