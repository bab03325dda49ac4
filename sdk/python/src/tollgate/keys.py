"""A site's two keys, stored so that no representation, copy or traceback shows the secret."""

from typing import Callable, NoReturn, Optional

from .grammars import is_secret, is_sitekey

#: Of a secret key, with ``tg_secret_``.
SECRET_LENGTH = 59


class Keys:
    """Site key and secret key together, because they may have been swapped."""

    __slots__ = ("_read_secret", "_read_sitekey")

    def __init__(self, sitekey: object, secret: object) -> None:
        # Closures, not attributes, because debuggers and error reporters print attributes.
        self._read_sitekey: Callable[[], object] = lambda: sitekey
        self._read_secret: Callable[[], object] = lambda: secret

    @property
    def sitekey(self) -> str:
        return str(self._read_sitekey())

    def authorization(self) -> str:
        """The Authorization header's value."""
        return f"Bearer {self._read_secret()}"

    def find_fault(self) -> Optional[str]:
        """What is wrong with the keys and what to do about it, without quoting either."""
        sitekey, secret = self._read_sitekey(), self._read_secret()
        for name, value in (("sitekey", sitekey), ("secret", secret)):
            if value is None or value == "":
                return f"{name} is {'empty' if value == '' else 'None'}: is its environment variable set?"
        if is_secret(sitekey) and is_sitekey(secret):
            return (
                "sitekey and secret are swapped: the site key begins with tg_site_, the secret key with tg_secret_; "
                "if the secret ever stood in a page, rotate it"
            )
        if is_secret(sitekey):
            return (
                "sitekey holds a secret key: pass the site key, tg_site_…, and rotate the secret if it stood in a page"
            )
        if not is_sitekey(sitekey):
            return "sitekey is no site key: copy it from the console, tg_site_ and 20 letters or digits"
        if is_sitekey(secret):
            return "secret holds the site key: pass the secret key, tg_secret_…, from your backend's settings"
        if not isinstance(secret, str):
            return "secret is not text: pass the site's secret key, tg_secret_…, from your backend's settings"
        if secret.startswith("tg_secret_") and len(secret) != SECRET_LENGTH:
            return (
                f"secret has {len(secret)} characters instead of {SECRET_LENGTH}: copy it whole from where you keep it, "
                "tg_secret_ and 49 letters or digits, without spaces, quotes or line ends"
            )
        if not is_secret(secret):
            return (
                "secret is mistyped, its checksum is wrong: copy it whole from where you keep it, tg_secret_ and "
                "49 letters or digits, without spaces, quotes or line ends"
            )
        return None

    def __repr__(self) -> str:
        return "Keys(…)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("keys are not copied or pickled: the secret would leave with them")
