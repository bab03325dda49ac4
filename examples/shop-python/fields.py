"""What the shop sells and what its forms ask for."""

import re
from typing import Dict, List, Mapping, NamedTuple, Optional, Tuple

#: What an intent is opened for. The token of one action is not valid for the other.
ACTIONS = ("checkout", "signup")
#: The visitor's own fields, trimmed. A valid order also has its total in euro cents.
Payload = Dict[str, str]
#: A submitted form, as ``parse_qs`` reads it.
Form = Mapping[str, List[str]]


class Product(NamedTuple):
    slug: str
    name: str
    line: str
    #: Price of one, in euro cents.
    cents: int


PRODUCTS = (
    Product("bell", "Brass bell No. 3", "Spun brass with a steel clamp for 22–26 mm bars.", 2800),
    Product("saddle", "Harbour saddle", "Oak-bark leather, copper rivets, steel rails.", 9400),
    Product("lamp", "Lantern front lamp", "Forty lux from any hub dynamo, with a standlight.", 6200),
)

_LINE = r"[^\x00-\x1f\x7f-\x9f]"
_WORD = r"[^\s@\x00-\x1f\x7f-\x9f]"
_EMAIL = (rf"{_WORD}{{1,64}}@{_WORD}{{1,180}}\.{_WORD}{{2,60}}", "Enter an e-mail address such as ada@example.com")
#: For each field what it has to match, and what is said if it does not.
_RULES: Mapping[str, Mapping[str, Tuple[str, str]]] = {
    "checkout": {
        "product": ("bell|saddle|lamp", "Choose one of the three parts"),
        "quantity": ("[1-9]", "Choose a quantity from 1 to 9"),
        "name": (_LINE + "{1,80}", "Enter the name for the parcel, at most 80 characters"),
        "email": _EMAIL,
        "address": (
            rf"(?=[\s\S]{{1,300}}\Z){_LINE}+(\n{_LINE}*){{0,5}}",
            "Enter the delivery address, at most six lines and 300 characters",
        ),
    },
    "signup": {"email": _EMAIL},
}


#: The fields of each form, in order.
FIELDS = {action: tuple(rules) for action, rules in _RULES.items()}


def find_product(slug: Optional[str]) -> Optional[Product]:
    return next((product for product in PRODUCTS if product.slug == slug), None)


def read_fields(action: str, form: Form) -> "Tuple[Payload, Dict[str, str]]":
    """The payload, and a message for each field to correct. The payload may be frozen only without messages."""
    # browsers differ in how they send line breaks
    typed = {field: read_one(form, field).strip().replace("\r\n", "\n") for field in _RULES[action]}
    rules = _RULES[action].items()
    faults = {field: says for field, (accepts, says) in rules if not re.fullmatch(accepts, typed[field])}
    product = find_product(typed.get("product"))
    if product is not None and not faults:
        typed["total"] = str(product.cents * int(typed["quantity"]))
    return typed, faults


def is_same_content(action: str, typed: Payload, frozen: Payload) -> bool:
    """Whether the visitor's own fields are the same. The total is not one of them: prices change."""
    return all(typed[field] == frozen[field] for field in _RULES[action])


def read_one(form: Form, field: str) -> str:
    """The value of a field that was sent exactly once, otherwise an empty text."""
    values = form.get(field, [])
    return values[0] if len(values) == 1 else ""
