"""Reports what became of many decisions, eight at a time, and keeps those that have to be sent again.

    export TOLLGATE_URL=http://localhost:3000 TOLLGATE_SITEKEY=… TOLLGATE_SECRET=…
    python asyncio_batch.py < reports.jsonl > later.jsonl

Each line is a report with its ``event_id``, stored before: ``{"decision_id", "event_id", "outcome", "business_type",
"occurred_at"}``. Sent twice, it counts once.
"""

import asyncio
import json
import os
import sys
from typing import Any, Dict

from tollgate import AsyncTollgate, TollgateError


async def main() -> None:
    tollgate = AsyncTollgate(
        url=os.environ["TOLLGATE_URL"], sitekey=os.environ["TOLLGATE_SITEKEY"], secret=os.environ["TOLLGATE_SECRET"]
    )
    lanes = asyncio.Semaphore(8)

    async def send(report: Dict[str, Any]) -> None:
        async with lanes:
            try:
                await tollgate.feedback(**report)
            except TollgateError as error:
                print(f"{report['event_id']}: {error}", file=sys.stderr)
                if error.retryable:
                    print(json.dumps(report))

    await asyncio.gather(*(send(json.loads(line)) for line in sys.stdin))


if __name__ == "__main__":
    asyncio.run(main())
