"""The pages: what is answered to whom."""

import logging
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from aftercare import OUTCOMES, draw_activity, draw_receipt
from counter import (
    Changed,
    Completed,
    Counter,
    Faulty,
    Refused,
    file_report,
    forget_device,
    open_form,
    renew_intent,
    standing_of,
    submit_form,
    take_exemption,
)
from fields import ACTIONS, Fault, Payload, find_product, read_one
from forms import FormView, draw_form
from pages import draw_advice, draw_home, draw_message, draw_open_new
from refusals import advise_on, regret_exemption
from tollgate import Html, TollgateError

log = logging.getLogger("shop")

Form = Dict[str, List[str]]


class Reply(NamedTuple):
    status: int
    markup: Html
    location: Optional[str] = None


def redirect(location: str) -> Reply:
    return Reply(303, draw_message("Done", "It goes on."), location)


FOREIGN = Reply(403, draw_message("This form isn’t yours", "It was opened in another browser; nothing was sent."))
NOWHERE = Reply(404, draw_message("Nothing on this shelf", "There is no page at this address."))


class Shop:
    """The pages of one merchant."""

    def __init__(self, counter: Counter, url: str, sitekey: str) -> None:
        self.counter = counter
        self.url = url
        self.sitekey = sitekey

    def get(self, path: str, query: Form, session: str) -> Reply:
        if path == "/":
            return Reply(200, draw_home())
        if path[1:] in ACTIONS:
            product = find_product(read_one(query, "product"))
            typed = {"quantity": "1", **({"product": product.slug} if product else {})}
            return self._open(path[1:], session, 200, typed)
        if path == "/activity":
            return self._activity(200, session)
        if path.startswith("/receipts/"):
            return self._receipt(path[len("/receipts/") :], session)
        return NOWHERE

    def post(self, path: str, form: Form, session: str) -> Reply:
        if path[1:] in ACTIONS:
            return self._take(path[1:], session, form)
        if path == "/exemptions/forget":
            return self._forget(session)
        sale = self.counter.store.find_sale(read_one(form, "attempt"), session)
        if path not in ("/exemptions", "/reports"):
            return NOWHERE
        if sale is None:
            return FOREIGN
        try:
            if path == "/exemptions":
                # this shop skips one check and asks for the next one: it does not renew
                if standing_of(sale) in ("offered", "late"):
                    take_exemption(self.counter, sale["id"], session, sale["decision_id"])
                return redirect(f"/receipts/{sale['id']}")
            outcome = read_one(form, "outcome")
            if outcome in OUTCOMES:
                file_report(self.counter, sale["id"], sale["action"], sale["decision_id"], outcome)
            return redirect("/activity")
        except TollgateError as error:
            log.warning("%s: %s", path, error)
            if path == "/exemptions":
                return self._receipt(sale["id"], session, regret_exemption(error), 409)
            return self._activity(503, session, "The report couldn’t be delivered just now. Please send it again.")

    def renew(self, intent_id: str, session: str) -> Tuple[int, Dict[str, str]]:
        """Another intent for a form whose own has expired, as the component asks for it: what was typed stays."""
        try:
            renewed = renew_intent(self.counter, session, intent_id)
        except TollgateError as error:
            log.warning("renewal: %s", error)
            return 503, {"error": "unavailable"}
        return (409, {"error": "intent-expired"}) if renewed is None else (200, {"intent_id": renewed})

    def _open(
        self,
        action: str,
        session: str,
        status: int,
        typed: Payload,
        faults: Sequence[Fault] = (),
        notice: str = "",
        replaced: Optional[Refused] = None,
    ) -> Reply:
        """A fresh form. ``replaced`` is the submission whose form it would replace."""
        try:
            form = open_form(self.counter, action, session)
        except TollgateError as error:
            advice = advise_on(error, action)
            return Reply(advice.status, draw_advice(advice, action, _repetition_of(replaced)))
        return Reply(status, draw_form(action, FormView(form, self.sitekey, self.url, typed, faults, notice)))

    def _take(self, action: str, session: str, form: Form) -> Reply:
        """A submitted form, for the first time or again."""
        submission = submit_form(self.counter, action, session, form)
        if submission is None:
            return FOREIGN
        if isinstance(submission, Completed):
            return redirect(f"/receipts/{submission.attempt}")
        if isinstance(submission, Faulty):
            return self._open(action, session, 422, submission.typed, submission.faults)
        if isinstance(submission, Changed):
            text = "This form was already sent with other content. The first submission counts; nothing was changed."
            return Reply(409, draw_message("Already sent", text, draw_open_new(action)))
        advice = advise_on(submission.error, action)
        if advice.next == "renew":
            return self._open(action, session, advice.status, submission.typed, (), advice.text, submission)
        return Reply(advice.status, draw_advice(advice, action, _repetition_of(submission)))

    def _receipt(self, attempt: str, session: str, notice: str = "", status: int = 200) -> Reply:
        sale = self.counter.store.find_sale(attempt, session)
        if sale is None:
            return NOWHERE
        return Reply(status, draw_receipt(sale, self.counter.store.latest_report(attempt), notice))

    def _activity(self, status: int, session: str, notice: str = "") -> Reply:
        store = self.counter.store
        return Reply(status, draw_activity(store.list_attempts(session), store.latest_report, notice))

    def _forget(self, session: str) -> Reply:
        try:
            forgotten = forget_device(self.counter, session)
        except TollgateError as error:
            log.warning("revoke: %s", error)
            return self._activity(503, session, "We couldn’t tell Tollgate so yet. Please try again.")
        said = "1 exemption was" if forgotten == 1 else f"{forgotten} exemptions were"
        return self._activity(200, session, f"This device is forgotten: {said} revoked.")


def _repetition_of(refused: Optional[Refused]) -> Optional[Payload]:
    """The fields with which "Try again" sends what was sent: anything else would be another submission."""
    if refused is None:
        return None
    return {**refused.typed, "attempt": refused.attempt, "svc-captcha-response": refused.token}
