"""The duties of a merchant, tested for every example: see the guide's "What to store, and when"."""

import html
import threading
import unittest
import urllib.request
from typing import ClassVar, Dict, List, Mapping, Optional, Sequence

import tollgate
from deployment import FAULTS_URL, KEYS, books, needs_deployment, plan, seen, solve
from merchants import DJANGO, FLASK, SHOP, TOKEN, Fields, Kind, Merchant, Page, Visitor, answer, needs

ALREADY_SENT = "already sent with other content"


class Duties(unittest.TestCase):
    """Duties that every merchant must fulfil, whatever a visitor or the service does."""

    kind: ClassVar[Kind]
    merchant: Merchant

    @classmethod
    def setUpClass(cls) -> None:
        cls.merchant = Merchant(cls.kind, url=FAULTS_URL)
        cls.addClassCleanup(cls.merchant.close)

    def setUp(self) -> None:
        plan()
        self.done = len(self.merchant.executed())
        self.charged = books()["charged"]
        self.visitor = self.come()

    def come(self, merchant: Optional[Merchant] = None) -> Visitor:
        """A new visitor. None of its pages may be cached."""
        visitor = Visitor(merchant or self.merchant)
        self.addCleanup(self.assert_kept_by_no_cache, visitor)
        return visitor

    def assert_kept_by_no_cache(self, visitor: Visitor) -> None:
        for page in visitor.pages:
            # Django's page for a missing CSRF token contains no visitor data
            if page.status != 403 or page.fields:
                self.assertIn("no-store", page.headers.get("Cache-Control", ""), page.text)

    def run_with_test_key(self, name: str) -> Visitor:
        merchant = Merchant(self.kind, tollgate.TEST_KEYS[name])
        self.addCleanup(merchant.close)
        return self.come(merchant)

    def prepare(self, visitor: Optional[Visitor] = None, keys: tollgate.SiteKeys = KEYS) -> Fields:
        """A form that was opened and filled in, with a solved challenge."""
        page = (visitor or self.visitor).open()
        self.assertEqual(page.status, 200, page.text)
        return page.filled(**self.kind.typed, **{TOKEN: solve(str(page.intent_id), keys["sitekey"])})

    def changed(self, fields: Mapping[str, str]) -> Fields:
        return {**fields, **self.kind.changed}

    def race(self, submissions: Sequence[Mapping[str, str]]) -> List[Page]:
        """Sends all concurrently; returns the pages in the same order."""
        pages: Dict[int, Page] = {}
        start = threading.Barrier(len(submissions))

        def send(index: int) -> None:
            start.wait()
            pages[index] = self.visitor.send(submissions[index])

        threads = [threading.Thread(target=send, args=(index,)) for index in range(len(submissions))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [pages[index] for index in range(len(submissions))]

    def assert_executed(self, times: int) -> None:
        self.assertEqual(len(self.merchant.executed()) - self.done, times, "how often the business was done")
        self.assertEqual(books()["charged"] - self.charged, times, "units charged")

    def assert_refused(self, page: Page, status: int, *words: str) -> None:
        self.assertEqual(page.status, status, page.text)
        for each in words:
            self.assertIn(each, html.unescape(page.text))

    def assert_fresh(self, page: Page, before: Mapping[str, str]) -> None:
        """A new form for a new record, with the entered values."""
        self.assertIsNotNone(page.intent_id, page.text)
        self.assertNotEqual(page.fields["attempt"], before["attempt"])
        self.assertEqual(page.fields["email"], before["email"])

    # once

    def test_a_visitor_who_passes_is_served_once_and_charged_once(self) -> None:
        fields = self.prepare()
        self.assert_executed(0)
        first = self.visitor.send(fields)
        self.assertEqual(first.status, 200, first.text)
        self.assertEqual(self.visitor.send(fields).text, first.text)
        self.assert_executed(1)

    def test_ten_identical_submissions_at_once_are_one_and_all_get_its_result(self) -> None:
        fields = self.prepare()
        pages = self.race([fields] * 10)
        self.assertEqual([page.status for page in pages], [200] * 10)
        self.assertEqual(len({page.text for page in pages}), 1)
        self.assert_executed(1)

    def test_blanks_around_a_field_are_no_other_content(self) -> None:
        fields = self.prepare()
        self.visitor.send(fields)
        self.assertEqual(self.visitor.send({**fields, "email": f" {fields['email']} "}).status, 200)
        self.assert_executed(1)

    # frozen at the first submission

    def test_another_content_or_token_for_a_record_that_was_sent_is_refused(self) -> None:
        fields, other = self.prepare(), self.prepare()
        first = self.visitor.send(fields)
        for later in (
            self.changed(fields),
            {**fields, "email": "no address"},
            {**fields, TOKEN: other[TOKEN]},
            {**fields, TOKEN: "tgr_another"},
            {**fields, TOKEN: ""},
            {name: value for name, value in fields.items() if name not in self.kind.typed and name != TOKEN},
        ):
            with self.subTest(repr({name: later.get(name) for name in (*self.kind.typed, TOKEN)})[:90]):
                self.assert_refused(self.visitor.send(later), 409, ALREADY_SENT, "Open a new form")
        self.assertEqual(self.visitor.send(fields).text, first.text, "the first submission's result stays")
        self.assert_executed(1)

    def test_of_two_contents_at_once_one_wins_and_the_other_is_refused(self) -> None:
        fields = self.prepare()
        submissions = [fields, self.changed(fields)] * 5
        pages = self.race(submissions)
        winners = {index % 2 for index, page in enumerate(pages) if page.status == 200}
        self.assertEqual(len(winners), 1, [page.status for page in pages])
        for index, page in enumerate(pages):
            if index % 2 not in winners:
                self.assert_refused(page, 409, ALREADY_SENT)
        self.assert_executed(1)
        changed = next(iter(self.kind.changed.values()))
        self.assertEqual(changed in self.merchant.executed()[-1], winners == {1}, "what was done is what won")

    def test_a_content_that_lost_after_a_failure_of_the_service_is_refused_too(self) -> None:
        fields = self.prepare()
        plan(answer(500, "internal-error"))
        self.assert_refused(self.visitor.send(fields), 503, "Try again")
        self.assert_refused(self.visitor.send(self.changed(fields)), 409, ALREADY_SENT)
        self.assertEqual(self.visitor.send(fields).status, 200)
        self.assert_executed(1)

    # a token of another record

    def test_a_token_that_is_missing_forged_or_of_another_form_does_nothing(self) -> None:
        stranger = self.come()
        tokens = {
            "none": "",
            "no token at all": "passed",
            "forged": "tgr_forged",
            "of another form": self.prepare()[TOKEN],
            "of another visitor": self.prepare(stranger)[TOKEN],
        }
        for what, token in tokens.items():
            with self.subTest(what):
                fields = {**self.prepare(), TOKEN: token}
                page = self.visitor.send(fields)
                self.assertIn(page.status, (409, 422))
                self.assert_fresh(page, fields)
        self.assert_executed(0)

    def test_a_token_of_another_site_does_nothing(self) -> None:
        foreign = self.run_with_test_key("pass")
        fields = {**self.prepare(), TOKEN: self.prepare(foreign, tollgate.TEST_KEYS["pass"])[TOKEN]}
        self.assert_fresh(self.visitor.send(fields), fields)
        self.assert_executed(0)

    def test_a_token_that_was_spent_does_nothing_in_another_form(self) -> None:
        spent = self.prepare()
        self.visitor.send(spent)
        fields = {**self.prepare(), TOKEN: spent[TOKEN]}
        self.assert_fresh(self.visitor.send(fields), fields)
        self.assert_executed(1)

    def test_a_form_of_another_visitor_does_nothing(self) -> None:
        fields = self.prepare()
        stranger = self.come()
        own = stranger.open()
        self.assert_refused(stranger.send({**own.fields, **fields, **_csrf(own)}), 403)
        self.assertIn(self.come().send(fields).status, (403,), "without a session")
        self.assert_executed(0)

    def test_after_a_token_that_did_not_fit_the_fresh_form_works(self) -> None:
        page = self.visitor.send({**self.prepare(), TOKEN: "tgr_forged"})
        fields = page.filled(**self.kind.typed, **{TOKEN: solve(str(page.intent_id))})
        self.assertEqual(self.visitor.send(fields).status, 200)
        self.assert_executed(1)

    def test_a_content_that_is_not_valid_is_not_frozen(self) -> None:
        fields = {**self.prepare(), "email": "no address"}
        page = self.visitor.send(fields)
        self.assertEqual(page.status, 422)
        self.assert_fresh(page, fields)
        self.assertEqual(self.visitor.send({**fields, **self.kind.typed}).status, 200, "the same record, corrected")
        self.assert_executed(1)

    def test_expired_and_already_redeemed_give_a_fresh_form(self) -> None:
        for key in ("expired", "spent"):
            with self.subTest(key):
                visitor = self.run_with_test_key(key)
                fields = self.prepare(visitor, tollgate.TEST_KEYS[key])
                page = visitor.send(fields)
                self.assertEqual(page.status, 409)
                self.assert_fresh(page, fields)
                self.assertEqual(visitor.merchant.executed(), [])

    # failures of the service

    def test_a_submission_that_fails_can_be_sent_again_as_it_was(self) -> None:
        for key, status in (("quota", 402), ("down", 503)):
            with self.subTest(key):
                visitor = self.run_with_test_key(key)
                fields = self.prepare(visitor, tollgate.TEST_KEYS[key])
                page = visitor.send(fields)
                self.assert_refused(page, status, "Try again")
                self.assertEqual("Retry-After" in page.headers, status == 503)
                # the button repeats the submission, so it gets the same answer
                self.assert_refused(visitor.send(page.fields), status, "Try again")
                self.assertEqual(visitor.merchant.executed(), [])

    def test_a_lost_answer_is_settled_by_trying_again(self) -> None:
        fields = self.prepare()
        # carried out and charged, but the answer is lost
        plan(answer(500, "internal-error"))
        page = self.visitor.send(fields)
        self.assert_refused(page, 503, "Try again")
        self.assertEqual(len(self.merchant.executed()), self.done)
        self.assertEqual(self.visitor.send(page.fields).status, 200)
        self.assert_executed(1)
        bodies = {each["body"] for each in seen()["here"]}
        self.assertEqual(len(bodies), 1, "the same key, token and intent each time")

    def test_a_form_that_cannot_be_opened_says_so_and_can_be_asked_for_again(self) -> None:
        for status, code in ((402, "quota-exceeded"), (401, "unauthorized"), (500, "internal-error")):
            with self.subTest(code):
                plan({**answer(status, code), "reaches": False})
                page = self.visitor.open()
                self.assertIn(page.status, (402,) if status == 402 else (500, 503))
                self.assertIsNone(page.intent_id)
                if status != 401:
                    self.assertIn("Try again", page.text)
        self.assertEqual(self.visitor.open().status, 200)

    def test_too_many_requests_say_when_to_come_back(self) -> None:
        # the last of several tries has as much time as one alone: a busy machine answers late
        merchant = Merchant(self.kind, tollgate.TEST_KEYS["limit"], deadline=12)
        self.addCleanup(merchant.close)
        page = self.come(merchant).open()
        self.assert_refused(page, 429, "Please wait", "Try again")
        self.assertRegex(page.headers["Retry-After"], r"^\d+$")

    # content of pages, records and logs

    def test_what_was_typed_is_escaped(self) -> None:
        page = self.visitor.send({**self.prepare(), "email": '"><script>alert(1)</script>'})
        self.assertNotIn("<script>alert", page.text)
        self.assertEqual(page.fields["email"], '"><script>alert(1)</script>')

    def test_each_form_has_a_key_and_a_nonce_of_its_own_and_the_configured_hostname(self) -> None:
        request = urllib.request.Request(self.merchant.url, headers={"X-Forwarded-Host": "evil.example"})
        self.visitor._exchange(request)
        self.visitor.open()
        (table,) = [name for name in ("attempts", "signup_attempt") if self._has(name)]
        columns = "nonce, idempotency_key, action, hostname, intent_id"
        rows = self.merchant.query(f"select {columns} from {table} where intent_id is not null")
        self.assertEqual({row[3] for row in rows}, {"localhost"})
        self.assertEqual({row[2] for row in rows}, {self.kind.path[1:]})
        drawn = [value for row in rows for value in (row[0], row[1])]
        self.assertEqual(len(set(drawn)), 2 * len(rows), "nonces and keys are drawn apart")
        self.assertTrue(all('"hostname":"localhost"' in each["body"].replace(" ", "") for each in seen()["here"]))

    def _has(self, table: str) -> bool:
        return bool(self.merchant.query(f"select 1 from sqlite_master where name = '{table}'"))

    def test_the_session_is_kept_from_scripts_and_from_forms_of_other_sites(self) -> None:
        self.visitor.open()
        (session,) = [cookie for cookie in self.visitor.cookies if cookie.name != "csrftoken"]
        self.assertTrue(session.has_nonstandard_attr("HttpOnly"))
        self.assertIn(session.get_nonstandard_attr("SameSite"), ("Lax", "Strict"))

    def test_logs_hold_no_secret_token_or_session_not_even_when_the_records_are_broken(self) -> None:
        merchant = Merchant(self.kind, url=FAULTS_URL)
        self.addCleanup(merchant.close)
        visitor = Visitor(merchant)
        fields = self.prepare(visitor)
        visitor.send({**self.prepare(visitor), TOKEN: "tgr_canary"})
        visitor.open("?svc-captcha-response=tgr_canary_query")
        visitor.send(self.changed(fields) | {TOKEN: ""})
        plan(answer(500, "internal-error"))
        visitor.send(fields)
        plan({**answer(401, "unauthorized"), "reaches": False})
        visitor.open()
        business = self.kind.rows.rsplit(" ", 1)[1]
        merchant.query(f"alter table {business} rename to away")
        broken = visitor.send(fields)
        self.assertEqual(broken.status, 500, broken.text)
        merchant.query(f"alter table away rename to {business}")
        self.assertEqual(merchant.executed(), [])
        logs = merchant.logs()
        self.assertIn("unauthorized", logs, "what the operator needs is there")
        self.assertIn("Traceback", logs)
        sessions = [tollgate.hash_session(merchant.session_key, value) for value in visitor.session_values()]
        sessions += visitor.session_values()
        for canary in (KEYS["secret"], merchant.session_key, "tgr_", fields[TOKEN], *sessions):
            self.assertNotIn(canary, logs)


def _csrf(page: Page) -> Fields:
    return {name: value for name, value in page.fields.items() if name.startswith("csrf")}


@needs_deployment
@needs("flask")
class FlaskTest(Duties):
    """sdk/python/examples/flask_app.py"""

    kind = FLASK


@needs_deployment
@needs("django")
class DjangoTest(Duties):
    """sdk/python/examples/django_app.py"""

    kind = DJANGO

    def test_a_form_of_another_site_is_refused(self) -> None:
        fields = self.prepare()
        for token in ("", "A" * 64):
            self.assertEqual(self.visitor.send({**fields, "csrfmiddlewaretoken": token}).status, 403)
        self.assert_executed(0)


@needs_deployment
class ShopTest(Duties):
    """examples/shop-python"""

    kind = SHOP


# it is no merchant itself
del Duties
