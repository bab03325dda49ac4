"""Sends feedback for many decisions, eight at a time, and keeps what has to be sent again.

    export TOLLGATE_URL=http://localhost:3000 TOLLGATE_SITEKEY=… TOLLGATE_SECRET=…
    python asyncio_batch.py < reports.jsonl > later.jsonl

Each line is a report as your records have it, stored with its ``event_id`` before it is sent: ``{"decision_id",
"event_id", "outcome", "business_type", "occurred_at"}``. A report that is sent twice counts once, so run the batch again
with ``later.jsonl``. The exit code is 1 if a report was refused or is in ``later.jsonl``.
"""

import asyncio
import json
import os
import sys
from typing import Any, Dict

from tollgate import AsyncTollgate, InvalidError, RefusedError, TollgateError


async def main() -> bool:
    tollgate = AsyncTollgate(
        url=os.environ["TOLLGATE_URL"], sitekey=os.environ["TOLLGATE_SITEKEY"], secret=os.environ["TOLLGATE_SECRET"]
    )
    eight = asyncio.Semaphore(8)

    async def send(report: Dict[str, Any]) -> bool:
        async with eight:
            try:
                await tollgate.feedback(**report)
                return True
            except TollgateError as error:
                print(f"{report['event_id']}: {error}", file=sys.stderr)
                if not isinstance(error, (RefusedError, InvalidError)):
                    print(json.dumps(report))
                return False

    return all(await asyncio.gather(*(send(json.loads(line)) for line in sys.stdin)))


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(main()) else 1)
