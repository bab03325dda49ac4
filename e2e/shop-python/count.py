"""Tells what is in a shop's records: ``python3 count.py FILE`` prints ``{"orders", "letters"}``."""

import json
import sys

from store import count

orders, letters = count(sys.argv[1])
print(json.dumps({"orders": orders, "letters": letters}))
