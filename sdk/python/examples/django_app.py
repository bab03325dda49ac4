"""A sign-up with Django, whole in one file: settings, models, view and templates.

    pip install django http://localhost:3000/sdk/tollgate_captcha-0.2.0-py3-none-any.whl
    export TOLLGATE_URL=http://localhost:3000 TOLLGATE_SITEKEY=… TOLLGATE_SECRET=… SESSION_KEY=$(openssl rand -hex 32)
    PORT=8000 DATABASE=signup.sqlite3 python django_app.py

The form is at http://localhost:8000/signup. ``TOLLGATE_HOSTNAME`` is the hostname of your own page, ``localhost`` unless
set. In your project, take the models, the form, the view and the templates.

CSRF protection is Django's own. Authentication and rate limits of your own pages remain your responsibility.
"""

import logging
import os
import sys
import uuid

import django
from django.apps import AppConfig, apps
from django.conf import settings
from django.core.management import call_command, execute_from_command_line
from tollgate import (
    RefusedError,
    Tollgate,
    TollgateError,
    UnavailableError,
    create_idempotency_key,
    create_nonce,
    hash_session,
    is_response_token,
    render_script,
    render_widget,
)

URL, SITEKEY, SESSION_KEY = (os.environ[name] for name in ("TOLLGATE_URL", "TOLLGATE_SITEKEY", "SESSION_KEY"))
# from the configuration, never from the form or the Host header
ACTION, HOSTNAME = "signup", os.environ.get("TOLLGATE_HOSTNAME", "localhost")

tollgate = Tollgate(url=URL, sitekey=SITEKEY, secret=os.environ["TOLLGATE_SECRET"])
logger = logging.getLogger("signup")

BASE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>{{ title }}</title>{{ script }}<h1>{{ title }}</h1>{% block main %}{% endblock %}"""

SIGN_UP = """{% extends "base.html" %}{% block main %}
{% if notice %}<p role="alert">{{ notice }}</p>{% endif %}
<form method="post" action="/signup">{% csrf_token %}
  <input type="hidden" name="attempt" value="{{ attempt }}">
  <p><label>E-mail <input name="email" type="email" autocomplete="email" value="{{ email }}" required></label></p>
  {{ widget }}
  <p><button>Sign up</button></p>
</form>{% endblock %}"""

# "Try again" sends exactly what was sent before: anything else would be another submission
MESSAGE = """{% extends "base.html" %}{% block main %}<p>{{ text }}</p>
{% if again %}<form method="post" action="/signup">{% csrf_token %}
  <input type="hidden" name="attempt" value="{{ again.id }}">
  <input type="hidden" name="email" value="{{ again.payload.email }}">
  <input type="hidden" name="svc-captcha-response" value="{{ again.token }}">
  <button>Try again</button>
</form>{% elif link %}<p><a href="/signup">{{ link }}</a></p>{% endif %}{% endblock %}"""


class SignUpConfig(AppConfig):
    name, label = __name__, "signup"
    default_auto_field = "django.db.models.BigAutoField"


settings.configure(
    SECRET_KEY=SESSION_KEY,
    ALLOWED_HOSTS=[HOSTNAME],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["django.contrib.sessions", f"{__name__}.SignUpConfig"],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
    # behind HTTPS, add SESSION_COOKIE_SECURE=True and CSRF_COOKIE_SECURE=True
    SESSION_COOKIE_SAMESITE="Lax",
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.environ.get("DATABASE", "signup.sqlite3"),
            "OPTIONS": {"timeout": 20},
        }
    },
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "OPTIONS": {
                "loaders": [
                    (
                        "django.template.loaders.locmem.Loader",
                        {"base.html": BASE, "signup.html": SIGN_UP, "message.html": MESSAGE},
                    )
                ]
            },
        }
    ],
    USE_TZ=True,
    # Django's own settings would mail errors with the request's cookies, and its development server logs addresses
    # with query strings, which may contain anything
    LOGGING_CONFIG=None,
)
logging.basicConfig(level=logging.WARNING)
logging.getLogger("django.server").disabled = True
django.setup()
# `migrate --run-syncdb` looks for the app's tables here
apps.get_app_config("signup").models_module = sys.modules[__name__]

# these need the settings
from django import forms
from django.db import models, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters


class Attempt(models.Model):
    """A form that was shown, with everything needed to repeat its calls."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    #: a keyed hash of the session's id
    session = models.CharField(max_length=64)
    action = models.CharField(max_length=64, default=ACTION)
    hostname = models.CharField(max_length=253, default=HOSTNAME)
    nonce = models.CharField(max_length=128, unique=True, default=create_nonce)
    idempotency_key = models.CharField(max_length=128, unique=True, default=create_idempotency_key)
    intent_id = models.UUIDField(null=True, unique=True)
    #: payload and token of the first submission
    payload = models.JSONField(null=True)
    token = models.CharField(max_length=512, null=True)


class Subscriber(models.Model):
    attempt = models.OneToOneField(Attempt, on_delete=models.PROTECT)
    decision_id = models.CharField(max_length=64, unique=True)
    email = models.EmailField()


class SignUpForm(forms.Form):
    email = forms.EmailField(max_length=254)


def say(request, status, title, text, *, again=None, link=None) -> HttpResponse:
    about = {"title": title, "text": text, "again": again, "link": link}
    return render(request, "message.html", about, status=status)


def refuse(request, error: TollgateError, **offer) -> HttpResponse:
    """A page for a failed call: what happened and how to continue. Never a success."""
    if not isinstance(error, UnavailableError):
        return say(request, 500, "Something is wrong", "Something is wrong on our side. You were not signed up.")
    text = "We could not finish the verification. Please try again: you are never signed up twice."
    page = say(request, 503, "Please try again", text, **offer)
    page["Retry-After"] = str(error.retry_after or 10)
    return page


# a page with an intent is for one visitor: never_cache prevents caching
@method_decorator(never_cache, name="dispatch")
# the record must be stored before the call, also where ATOMIC_REQUESTS is on
@method_decorator(transaction.non_atomic_requests, name="dispatch")
# error reports leave these out
@method_decorator(sensitive_post_parameters(), name="dispatch")
class SignUp(View):
    def visitor(self) -> str:
        """The keyed hash of the visitor's session, for the records and Tollgate."""
        if self.request.session.session_key is None:
            self.request.session.create()
        return hash_session(SESSION_KEY, self.request.session.session_key)

    def get(self, request: HttpRequest, notice: str = "", email: str = "", status: int = 200) -> HttpResponse:
        # the record is stored before the call, so that every intent belongs to one
        attempt = Attempt.objects.create(session=self.visitor())
        try:
            intent = tollgate.create_intent(
                action=attempt.action, nonce=attempt.nonce, hostname=attempt.hostname, session=attempt.session
            )
        except TollgateError as error:
            logger.error("no intent for attempt %s: %s", attempt.pk, error)
            return refuse(request, error, link="Try again")
        if Attempt.objects.filter(pk=attempt.pk, intent_id=None).update(intent_id=intent.intent_id) != 1:
            raise RuntimeError("the attempt has an intent already")
        about = {
            "title": "Sign up",
            "notice": notice,
            "email": email,
            "attempt": attempt.pk,
            "script": render_script(url=URL),
            "widget": render_widget(url=URL, sitekey=SITEKEY, intent_id=intent.intent_id),
        }
        return render(request, "signup.html", about, status=status)

    def find(self, pk: object) -> "Attempt | None":
        """The attempt, if it was shown to this session and has an intent."""
        try:
            shown = Attempt.objects.filter(pk=uuid.UUID(str(pk)), session=self.visitor())
        except ValueError:
            return None
        return shown.exclude(intent_id=None).first()

    def post(self, request: HttpRequest) -> HttpResponse:
        attempt = self.find(request.POST.get("attempt"))
        if attempt is None:
            text = "This form was not opened in this browser."
            return say(request, 403, "Unknown form", text, link="Open a new form")
        form, token = SignUpForm(request.POST), request.POST.get("svc-captcha-response")
        valid = form.is_valid()
        if attempt.token is None:
            # only what is valid is frozen
            typed = request.POST.get("email", "")
            if not valid:
                return self.get(request, "Please enter a valid e-mail address.", typed, 422)
            if not is_response_token(token):
                return self.get(request, "Please complete the verification.", typed, 422)
            Attempt.objects.filter(pk=attempt.pk, token=None).update(payload=form.cleaned_data, token=token)
            attempt.refresh_from_db()
        # the first submission freezes content and token, also if two arrive concurrently
        if not valid or (attempt.payload, attempt.token) != (form.cleaned_data, token):
            text = "This form was already sent with other content. The first submission counts; nothing was changed."
            return say(request, 409, "Already sent", text, link="Open a new form")
        return self.settle(request, attempt)

    def settle(self, request: HttpRequest, attempt: Attempt) -> HttpResponse:
        """Redeems the frozen token and signs up, once. A repetition gets the same result."""
        done = Subscriber.objects.filter(attempt=attempt)
        if not done.exists():
            try:
                decision = tollgate.verify(
                    response=attempt.token,
                    intent_id=str(attempt.intent_id),
                    action=attempt.action,
                    hostname=attempt.hostname,
                    idempotency_key=attempt.idempotency_key,
                )
            except RefusedError as error:
                logger.warning("attempt %s not verified: %s", attempt.pk, error)
                # a concurrent submission may have finished meanwhile
                if not done.exists():
                    notice = "The verification did not fit this form or has expired. Please send the form again."
                    return self.get(request, notice, attempt.payload["email"], 409)
            except TollgateError as error:
                logger.error("attempt %s not verified: %s", attempt.pk, error)
                return refuse(request, error, again=attempt)
            else:
                Subscriber.objects.get_or_create(
                    attempt=attempt, defaults={"decision_id": decision.decision_id, "email": attempt.payload["email"]}
                )
        return say(request, 200, "Welcome", f"{attempt.payload['email']} is on the list.")


urlpatterns = [path("signup", SignUp.as_view())]

if __name__ == "__main__":
    call_command("migrate", run_syncdb=True, verbosity=0)
    execute_from_command_line([sys.argv[0], "runserver", "--noreload", f"127.0.0.1:{os.environ.get('PORT', '8000')}"])
