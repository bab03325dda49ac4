"""A sign-up with Django: the model, and the view for its URL.

In the settings: ``TOLLGATE = {"url": …, "sitekey": …, "secret": os.environ["TOLLGATE_SECRET"]}``. The template shows
``{{ script }}`` in its head, and in its form ``{% csrf_token %}``, the hidden field ``attempt`` and ``{{ widget }}``:
they are markup and are not escaped.
"""

import logging
import uuid

from django.conf import settings
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views import View
from tollgate import (
    IntentExpiredError,
    ResponseInvalidError,
    Tollgate,
    TollgateError,
    create_idempotency_key,
    create_nonce,
    hash_session,
    is_response_token,
    render_script,
    render_widget,
)

logger = logging.getLogger(__name__)

URL, SITEKEY = settings.TOLLGATE["url"], settings.TOLLGATE["sitekey"]
ACTION, HOSTNAME = "signup", "shop.example"
tollgate = Tollgate(**settings.TOLLGATE)


class Attempt(models.Model):
    """A form that was shown, with everything that a repetition has to send."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    session = models.CharField(max_length=64)
    nonce = models.CharField(max_length=64, unique=True, default=create_nonce)
    idempotency_key = models.CharField(max_length=64, unique=True, default=create_idempotency_key)
    intent_id = models.UUIDField(null=True, unique=True)
    email = models.EmailField(null=True)
    token = models.CharField(max_length=512, null=True)


class Subscriber(models.Model):
    attempt = models.OneToOneField(Attempt, on_delete=models.PROTECT)
    decision_id = models.CharField(max_length=64, unique=True)
    email = models.EmailField()


class SignUp(View):
    def get(self, request: HttpRequest, notice: str = "", email: str = "") -> HttpResponse:
        if request.session.session_key is None:
            request.session.create()
        # the record comes first, in a transaction of its own: mind ATOMIC_REQUESTS
        attempt = Attempt.objects.create(session=request.session.session_key)
        try:
            intent = tollgate.create_intent(
                action=ACTION,
                nonce=attempt.nonce,
                hostname=HOSTNAME,
                session=hash_session(settings.SECRET_KEY, attempt.session),
            )
        except TollgateError as error:
            logger.error("no intent: %s", error)
            return render(request, "busy.html", status=503)
        Attempt.objects.filter(pk=attempt.pk, intent_id=None).update(intent_id=intent.intent_id)
        about = {
            "attempt": attempt.pk,
            "notice": notice,
            "email": email,
            "script": render_script(url=URL),
            "widget": render_widget(url=URL, sitekey=SITEKEY, intent_id=intent.intent_id),
        }
        return render(request, "signup.html", about)

    def post(self, request: HttpRequest) -> HttpResponse:
        mine = Attempt.objects.filter(session=request.session.session_key, intent_id__isnull=False)
        attempt = get_object_or_404(mine, pk=request.POST.get("attempt"))
        email, token = request.POST.get("email", ""), request.POST.get("svc-captcha-response")
        if email and is_response_token(token):
            # the first submission fixes what counts; every repetition runs it again
            mine.filter(pk=attempt.pk, token=None).update(email=email, token=token)
            attempt.refresh_from_db()
        if attempt.token is None:
            return self.get(request, "Please complete the form and the check.", email)
        # the shop's own record comes first: what is done needs no asking
        if Subscriber.objects.filter(attempt=attempt).exists():
            return render(request, "welcome.html")
        try:
            decision = tollgate.verify(
                response=attempt.token,
                intent_id=str(attempt.intent_id),
                action=ACTION,
                hostname=HOSTNAME,
                idempotency_key=attempt.idempotency_key,
            )
        except (ResponseInvalidError, IntentExpiredError):
            return self.get(request, "The check did not fit this form any more. Please send it again.", attempt.email)
        except TollgateError as error:
            logger.error("not verified: %s", error)
            # a page whose form sends the same attempt again
            return render(request, "again.html", {"attempt": attempt.pk}, status=503)
        # whoever comes second finds it done
        Subscriber.objects.get_or_create(
            attempt=attempt, defaults={"decision_id": decision.decision_id, "email": attempt.email}
        )
        return render(request, "welcome.html")
