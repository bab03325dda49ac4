"""sdk/python/examples/asyncio_batch.py"""

import json
import subprocess
import sys
import time
import unittest
from pathlib import Path
from typing import Any, Dict, List

import tollgate
from deployment import FAULTS_URL, KEYS, URL, books, earn, needs_deployment, plan

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "examples" / "asyncio_batch.py"


@needs_deployment
class BatchTest(unittest.TestCase):
    def report(self) -> Dict[str, Any]:
        decision = tollgate.Tollgate(url=URL, **KEYS).verify(**earn())
        return {
            "decision_id": decision.decision_id,
            "event_id": tollgate.create_event_id(),
            "outcome": "legitimate",
            "business_type": "order",
            "occurred_at": int(time.time()),
        }

    def run_batch(self, *reports: Dict[str, Any]) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [sys.executable, "-W", "error", str(PROGRAM)],
            input="".join(f"{json.dumps(report)}\n" for report in reports),
            capture_output=True,
            text=True,
            env={
                "PYTHONPATH": str(ROOT / "src"),
                "PYTHONDONTWRITEBYTECODE": "1",
                "TOLLGATE_URL": FAULTS_URL,
                "TOLLGATE_SITEKEY": KEYS["sitekey"],
                "TOLLGATE_SECRET": KEYS["secret"],
            },
        )
        self.assertNotIn(KEYS["secret"], done.stdout + done.stderr)
        return done

    def test_reports_sent_twice_count_once(self) -> None:
        reports: List[Dict[str, Any]] = [self.report() for _ in range(3)]
        before = books()["reports"]
        plan()
        for _ in range(2):
            done = self.run_batch(*reports)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(books()["reports"] - before, 3)

    def test_what_failed_is_kept_to_be_sent_again_and_what_was_refused_is_named(self) -> None:
        report = self.report()
        refusals = ((503, "unavailable", True), (500, "internal-error", True), (422, "bad-request", False))
        for status, code, kept in refusals:
            with self.subTest(code):
                # its Retry-After is longer than the client's deadline
                headers = {"content-type": "application/json", "retry-after": "600"}
                body = json.dumps({"error": code})
                plan({"kind": "answer", "status": status, "headers": headers, "body": body, "reaches": False})
                done = self.run_batch(report)
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"{report['event_id']}: ", done.stderr)
                self.assertEqual([json.loads(line) for line in done.stdout.splitlines()], [report] if kept else [])
