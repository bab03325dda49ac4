"""One try: connect, send and read the complete answer within one time limit.

Every try has a connection of its own, so that threads, forked workers and calls share nothing. Redirects are not
followed and proxies are not read from the environment: the secret is sent to the configured address only.
"""

import http.client
import io
import socket
import ssl
import time
from typing import TYPE_CHECKING, NamedTuple, Optional, Union

from .keys import Keys
from .options import Address
from .version import VERSION

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

#: Bytes. The service's longest answer is a hundredth of that.
ANSWER_LIMIT = 64 * 1024


class Reply(NamedTuple):
    """An answer as received, from the service or a proxy."""

    status: int
    #: None if it is longer than ``ANSWER_LIMIT``.
    body: Optional[bytes]
    #: Headers as received; several with one name are joined by commas.
    request_id: Optional[str]
    retry_after: Optional[str]
    date: Optional[str]
    #: What the service received as Authorization, with a 401.
    received: Optional[str]
    #: The latest event of the decision, from ``/feedback``.
    latest_event: Optional[str]
    #: Host and port.
    place: str


class NothingSent(NamedTuple):
    """Why a try sent nothing."""

    #: The key of ``COMMON``.
    key: str
    #: Whether another try may succeed, because the address need not be what is wrong.
    passes: bool = True


class NoReply(NamedTuple):
    """No complete answer. The call may have been carried out or not."""

    #: With host and port.
    reason: str
    #: None if something may have been sent.
    nothing_sent: Optional[NothingSent] = None


def send(address: Address, keys: Keys, path: str, body: bytes, seconds: float) -> Union[Reply, NoReply]:
    """Posts ``body`` once. Takes ``seconds`` at most, except for name resolution, which cannot be interrupted.

    Failures are returned, not raised: an exception would contain the frames of http.client, and these the secret.
    """
    budget = _Budget(seconds)
    headers = {
        "Host": address.authority,
        "Authorization": keys.authorization(),
        "Content-Type": "application/json",
        "Accept": "application/json",
        "User-Agent": f"tollgate-python/{VERSION}",
        "Connection": "close",
    }
    place, connected = place_of(address), False
    try:
        with _connect(address, budget) as wire:
            connected = True
            connection = http.client.HTTPConnection(address.host, address.port)
            # a global debug level would print the request's headers
            connection.set_debuglevel(0)
            connection.sock = _Wire(wire, budget)
            connection.request("POST", address.base + path, body, headers)
            return _read(connection.getresponse(), place)
    except OSError as error:
        late = budget.is_spent() or isinstance(error, (TimeoutError, socket.timeout))
        reason = f"no answer within {seconds:.3g} s" if late else _describe(error)
        return NoReply(f"{place}, {reason}", None if connected else _explain_nothing_sent(error))
    except (http.client.HTTPException, ValueError, OverflowError) as error:
        # http.client raises them for invalid numbers; their text would quote the answer
        return NoReply(f"{place}, the answer is cut off or is not HTTP ({type(error).__name__})")


def place_of(address: Address) -> str:
    return f"[{address.host}]:{address.port}" if ":" in address.host else f"{address.host}:{address.port}"


#: A name that has no address of any kind.
_NO_NAME = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))


def _explain_nothing_sent(error: OSError) -> NothingSent:
    """Of a connection that did not come about."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return NothingSent("certificate", passes=False)
    if isinstance(error, _NoTlsError):
        return NothingSent("no_tls", passes=False)
    if isinstance(error, (ssl.SSLEOFError, ConnectionResetError)):
        return NothingSent("no_handshake")
    if isinstance(error, ssl.SSLError):
        return NothingSent("no_handshake", passes=False)
    if isinstance(error, socket.gaierror):
        # others are name servers that did not answer, which may pass
        return NothingSent("unresolved", passes=False) if error.errno in _NO_NAME else NothingSent("no_name_server")
    return NothingSent("refused" if isinstance(error, ConnectionRefusedError) else "no_connection")


def _describe(error: OSError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"CERTIFICATE_VERIFY_FAILED, {error.verify_message}"
    return error.strerror or type(error).__name__


def _read(response: http.client.HTTPResponse, place: str) -> Union[Reply, NoReply]:
    body: Optional[bytes] = response.read(ANSWER_LIMIT + 1)
    if body is not None and len(body) > ANSWER_LIMIT:
        body = None
    elif response.length:
        # read(n) of http.client may return fewer bytes
        return NoReply(f"{place}, the answer is cut off")
    header = response.getheader
    return Reply(
        response.status,
        body,
        header("X-Request-Id"),
        header("Retry-After"),
        header("Date"),
        header("Tollgate-Authorization"),
        header("Tollgate-Latest-Event"),
        place,
    )


def _connect(address: Address, budget: "_Budget") -> socket.socket:
    found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    for index, (family, kind, protocol, _, target) in enumerate(found):
        sock = socket.socket(family, kind, protocol)
        try:
            # an address that drops packets must leave time for the next one
            sock.settimeout(budget.left() / (len(found) - index))
            sock.connect(target)
            if address.tls is None:
                return sock
            sock.settimeout(budget.left())
            return _secure(sock, address.tls, address.host)
        except BaseException as error:
            sock.close()
            if not isinstance(error, OSError) or index + 1 == len(found):
                raise
    raise OSError("the name has no address")


class _NoTlsError(OSError):
    """The server answered the handshake with something else than TLS."""


#: The same fault by versions of OpenSSL.
_NO_TLS = ("WRONG_VERSION_NUMBER", "PACKET_LENGTH_TOO_LONG", "RECORD_LAYER_FAILURE")


def _secure(sock: socket.socket, tls: ssl.SSLContext, host: str) -> socket.socket:
    try:
        return tls.wrap_socket(sock, server_hostname=host)
    except ssl.SSLError as error:
        if error.reason in _NO_TLS:
            raise _NoTlsError(error.errno, error.strerror) from None
        raise


class _Budget:
    """The time limit of a try. A socket's own timeout restarts with every byte."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def is_spent(self) -> bool:
        return time.monotonic() >= self._end


class _Wire:
    """The part of a connected socket that http.client uses."""

    def __init__(self, sock: socket.socket, budget: _Budget) -> None:
        self._sock = sock
        self._budget = budget

    def sendall(self, data: bytes) -> None:
        self._sock.settimeout(self._budget.left())
        self._sock.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Incoming(self._sock, self._budget))

    def close(self) -> None:
        """Does nothing: http.client closes before the body is read, and the caller closes the socket in any case."""


class _Incoming(io.RawIOBase):
    def __init__(self, sock: socket.socket, budget: _Budget) -> None:
        super().__init__()
        self._sock = sock
        self._budget = budget

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        self._sock.settimeout(self._budget.left())
        return self._sock.recv_into(buffer)
