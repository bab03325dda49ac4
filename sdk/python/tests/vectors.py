"""The vectors shared by both SDKs, described in sdk/vectors/README.md."""

import base64
import json
import re
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Optional, Type, TypeVar

FOLDER = Path(__file__).resolve().parents[2] / "vectors"

Fields = Dict[str, Any]
Test = TypeVar("Test", bound=unittest.TestCase)


def read_vectors(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


ERRORS: List[Dict[str, Any]] = read_vectors("errors")

CALLS: Dict[str, Any] = read_vectors("calls")


def input_of(call: str, case: Fields) -> Fields:
    """The complete input of a case."""
    return _without({**CALLS[call]["input"], **case.get("input", {})}, case.get("without", []))


def body_of(call: str, answer: Fields) -> bytes:
    """The bytes of an answer's body."""
    if "body_base64" in answer:
        return base64.b64decode(str(answer["body_base64"]))
    fields = _without({**CALLS[call]["answer"], **answer.get("answer", {})}, answer.get("drop", []))
    text: str = answer.get("body", json.dumps(fields))
    repeat, pad = int(answer.get("repeat", 1)), int(answer.get("pad", 0))
    return (text * repeat).encode("utf-8").ljust(pad)


def _without(fields: Fields, names: List[str]) -> Fields:
    return {name: value for name, value in fields.items() if name not in names}


def class_of(code: str, field: Optional[str] = None, retryable: bool = False) -> str:
    """The name of an error's class."""
    if retryable:
        return "UnavailableError"
    # a response is the visitor's value, so a malformed one is a refusal, not a mistake
    if (code, field) == ("bad-request", "response"):
        return "RefusedError"
    return next((str(kind["class"]) for kind in ERRORS if kind["code"] == code), "TollgateError")


def promises(cases: Iterable[Fields]) -> Callable[[Type[Test]], Type[Test]]:
    """Adds a test to a class for each case: ``check(case)``, with the case's name."""

    def add(target: Type[Test]) -> Type[Test]:
        for number, case in enumerate(cases):

            def test(self: Any, case: Fields = case) -> None:
                self.check(case)

            words = re.sub(r"\W+", "_", case["name"], flags=re.ASCII).strip("_")[:80]
            test.__doc__ = case["name"]
            setattr(target, f"test_{number:03}_{words}", test)
        return target

    return add
