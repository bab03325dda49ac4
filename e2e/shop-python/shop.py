"""A small merchant, whole: it sells three bicycle parts, keeps its own records, and asks Tollgate, through its SDK,
whether there is a person behind a form. Read it in the order counter.py, store.py, answer.py.

    TOLLGATE_URL=… TOLLGATE_SITEKEY=… TOLLGATE_SECRET=… SHOP_DATABASE=shop.sqlite3 python3 e2e/shop-python/shop.py

Without ``SHOP_PORT`` it takes a free port. ``SHOP_HOSTNAME`` is the hostname of the shop's pages, ``localhost`` unless
set. ``SHOP_PATIENCE`` is how many seconds a visitor waits for an answer of Tollgate at most. Once the shop listens, it
prints its address.
"""

import logging
import os
import signal
import sys

from answer import Shop
from counter import Counter
from serve import Server, handler_of
from store import Store
from tollgate import Tollgate


def main() -> None:
    logging.basicConfig(format="%(levelname)s %(message)s")
    url, sitekey = os.environ["TOLLGATE_URL"], os.environ["TOLLGATE_SITEKEY"]
    patience = float(os.environ.get("SHOP_PATIENCE", "6"))
    tollgate = Tollgate(url=url, sitekey=sitekey, secret=os.environ["TOLLGATE_SECRET"], deadline=patience)
    store = Store(os.environ["SHOP_DATABASE"])
    shop = Shop(Counter(store, tollgate, os.environ.get("SHOP_HOSTNAME", "localhost")), url, sitekey)
    server = Server(("127.0.0.1", int(os.environ.get("SHOP_PORT", "0"))), handler_of(shop, store.session_key))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    print(f"http://localhost:{server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
