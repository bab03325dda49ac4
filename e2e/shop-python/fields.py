"""What the shop sells and what its forms ask for."""

import re
from typing import Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple

#: What the intents are opened for. An intent of one cannot be spent on the other.
ACTIONS = ("checkout", "signup")

#: A submitted form as it is frozen: trimmed text by field name, and for an order its total in euro cents.
Payload = Dict[str, str]


class Product(NamedTuple):
    slug: str
    name: str
    line: str
    #: Price of one, in euro cents.
    cents: int


PRODUCTS = (
    Product("bell", "Brass bell No. 3", "One clear note, eleven seconds long.", 2800),
    Product("saddle", "Harbour saddle", "Oak-bark leather that learns your weight.", 9400),
    Product("lamp", "Lantern front lamp", "Forty lux on the road, none in the eyes.", 6200),
)
SLUGS = frozenset(product.slug for product in PRODUCTS)


class Fault(NamedTuple):
    """A field that has to be corrected; ``field`` is also the id of its control."""

    field: str
    message: str


class Rule(NamedTuple):
    accepts: Callable[[str], object]
    message: str


_WORD = r"[^\s@\x00-\x1f\x7f-\x9f]"
_LINE = r"[^\x00-\x1f\x7f-\x9f]"

_EMAIL = Rule(
    re.compile(rf"{_WORD}{{1,64}}@{_WORD}{{1,180}}\.{_WORD}{{2,60}}").fullmatch,
    "Enter an e-mail address such as ada@example.com",
)
_RULES: Mapping[str, Mapping[str, Rule]] = {
    "checkout": {
        "product": Rule(lambda value: value in SLUGS, "Choose one of the three parts"),
        "quantity": Rule(re.compile("[1-9]").fullmatch, "Choose a quantity from 1 to 9"),
        "name": Rule(re.compile(_LINE + "{1,80}").fullmatch, "Enter the name for the parcel, at most 80 characters"),
        "email": _EMAIL,
        "address": Rule(
            lambda value: len(value) <= 300 and re.fullmatch(rf"{_LINE}+(\r?\n{_LINE}*){{0,5}}", value),
            "Enter the delivery address, at most six lines",
        ),
    },
    "signup": {"email": _EMAIL},
}


def find_product(slug: Optional[str]) -> Optional[Product]:
    return next((product for product in PRODUCTS if product.slug == slug), None)


def read_fields(action: str, form: Mapping[str, List[str]]) -> Tuple[Payload, List[Fault]]:
    """Reads, normalises and judges a form's fields. What was typed may be frozen only without any fault."""
    typed = {field: read_one(form, field).strip().replace("\r\n", "\n") for field in _RULES[action]}
    faults = [Fault(field, rule.message) for field, rule in _RULES[action].items() if not rule.accepts(typed[field])]
    product = find_product(typed.get("product"))
    if product is not None and not faults:
        typed["total"] = str(product.cents * int(typed["quantity"]))
    return typed, faults


def is_same_content(action: str, typed: Payload, frozen: Payload) -> bool:
    """Whether the same fields were typed. The total is left out: prices may have changed since it was frozen."""
    return all(typed[field] == frozen[field] for field in _RULES[action])


def read_one(form: Mapping[str, List[str]], field: str) -> str:
    """The value of a field that was sent exactly once: of two values neither is the one that was meant."""
    values = form.get(field, [])
    return values[0] if len(values) == 1 else ""


def format_price(cents: int) -> str:
    return f"€{cents / 100:.2f}"
