"""Runs the tests and writes the results as JSON.

    python3 -W error sdk/python/tests/run.py [REPORT [PATTERN]]

A pattern such as ``test_render.py`` runs a part.
"""

import json
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    sys.path[:0] = [str(HERE), str(HERE.parent / "src")]
    report_file, pattern = [*sys.argv[1:], "", ""][:2]
    result = unittest.TextTestRunner().run(unittest.defaultTestLoader.discover(str(HERE), pattern or "test_*.py"))
    # a test with several failing cases is listed once for each
    failed = {test.id().split(" ")[0]: trace for test, trace in result.failures + result.errors}
    failed.update({test.id(): "passed, though it is marked as failing" for test in result.unexpectedSuccesses})
    report = {
        "passed": result.testsRun - len(failed) - len(result.skipped),
        "failed": len(failed),
        "skipped": len(result.skipped),
        # the end of a trace names the exception
        "failures": [{"title": title, "reason": "\n".join(trace.splitlines()[-8:])} for title, trace in failed.items()],
    }
    if report_file:
        Path(report_file).write_text(json.dumps(report), encoding="utf-8")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
