<?php

/**
 * A sign-up in plain PHP with SQLite.
 *
 *     composer config secure-http false # only for an http: address
 *     composer config repositories.tollgate composer http://localhost:3000/sdk && composer require tollgate/tollgate
 *     export TOLLGATE_URL=http://localhost:3000 TOLLGATE_SITEKEY=… TOLLGATE_SECRET=… SESSION_KEY=$(openssl rand -hex 32)
 *     DATABASE=signup.sqlite3 php -S localhost:8000 signup.php
 *
 * The form is at http://localhost:8000/signup. `TOLLGATE_HOSTNAME` is the hostname of your own page, `localhost` unless set. In
 * production, serve it with PHP-FPM.
 *
 * Authentication, rate limits of your own pages and CSRF protection remain your responsibility. Here, browsers do not send the
 * session cookie with a form of another site (`SameSite=Lax`), and a form is accepted only from the session that it was shown to.
 */

declare(strict_types=1);

use Tollgate\Hash;
use Tollgate\Html;
use Tollgate\Random;
use Tollgate\RefusedError;
use Tollgate\Tollgate;
use Tollgate\TollgateError;
use Tollgate\UnavailableError;

// with Composer: __DIR__ . '/vendor/autoload.php'
require __DIR__ . '/../autoload.php';

const ACTION = 'signup';
// from the configuration, never from the form or the Host header
define('HOSTNAME', getenv('TOLLGATE_HOSTNAME') ?: 'localhost');
const EMAIL = '/\A[^\s@\x00-\x1f]{1,64}@[^\s@\x00-\x1f]{1,180}\.[^\s@\x00-\x1f]{2,60}\z/';
const TABLES = <<<'SQL'
    create table if not exists attempts (
      id text primary key, session text not null, action text not null, hostname text not null,
      nonce text not null unique, idempotency_key text not null unique, intent_id text unique, renewed_intent_id text,
      payload text, token text, check ((payload is null) = (token is null))
    );
    create table if not exists subscribers (
      attempt text not null unique references attempts, decision text not null unique, email text not null
    );
    SQL;

$tollgate = new Tollgate(getenv('TOLLGATE_URL'), getenv('TOLLGATE_SITEKEY'), getenv('TOLLGATE_SECRET'));
$db = new PDO('sqlite:' . (getenv('DATABASE') ?: 'signup.sqlite3'), options: [PDO::ATTR_TIMEOUT => 20]);
$db->exec(TABLES);

// behind HTTPS, add 'cookie_secure' => true
session_start(['cookie_httponly' => true, 'cookie_samesite' => 'Lax', 'use_strict_mode' => true]);
// the keyed hash of the visitor's session, for the records and Tollgate
$visitor = Hash::hashSession(getenv('SESSION_KEY'), session_id());
// PHP locks a session while it is open, so that a second form of the visitor would wait
session_write_close();
// a page with an intent is for one visitor
header('Cache-Control: no-store');

match ("$_SERVER[REQUEST_METHOD] " . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
    'GET /signup' => show($db, $tollgate, $visitor),
    'POST /signup' => take($db, $tollgate, $visitor),
    'POST /signup/intent' => renew($db, $tollgate, $visitor),
    default => say(404, 'Not found', 'There is no such page.', link: 'Sign up'),
};

/** Shows a new form, with an intent of its own. */
function show(PDO $db, Tollgate $tollgate, string $visitor, string $notice = '', string $email = '', int $status = 200): void
{
    [$attempt, $nonce] = [Random::createEventId(), Random::createNonce()];
    // the record is stored before the call, so that every intent belongs to one
    $db->prepare(
        'insert into attempts (id, session, action, hostname, nonce, idempotency_key) values (?, ?, ?, ?, ?, ?)',
    )->execute([$attempt, $visitor, ACTION, HOSTNAME, $nonce, Random::createIdempotencyKey()]);
    try {
        $intent = $tollgate->createIntent(action: ACTION, nonce: $nonce, hostname: HOSTNAME, session: $visitor);
    } catch (TollgateError $error) {
        error_log("no intent for attempt $attempt: {$error->getMessage()}");
        fail($error, link: 'Try again');
        return;
    }
    $db->prepare('update attempts set intent_id = ? where id = ?')->execute([$intent->intentId, $attempt]);
    http_response_code($status);
    $url = getenv('TOLLGATE_URL');
    echo page('Sign up', Html::renderScript(url: $url) . ($notice === '' ? '' : '<p role="alert">' . escape($notice) . '</p>')
        . '<form method="post" action="/signup"><input type="hidden" name="attempt" value="' . $attempt . '">
          <p><label>E-mail <input name="email" type="email" autocomplete="email" value="' . escape($email) . '" required></label></p>
          ' . Html::renderWidget(url: $url, sitekey: $intent->sitekey, intentId: $intent->intentId, renew: '/signup/intent') . '
          <p><button>Sign up</button></p></form>');
}

/** Another intent for an open form whose intent expired. */
function renew(PDO $db, Tollgate $tollgate, string $visitor): void
{
    header('Content-Type: application/json');
    $expired = json_decode(file_get_contents('php://input'), true)['intent_id'] ?? '';
    $nonce = Random::createNonce();
    // if an answer was lost, the component asks again with the former intent
    $found = $db->prepare('update attempts set nonce = ?, idempotency_key = ?
        where session = ? and ? in (intent_id, renewed_intent_id) and token is null returning id');
    $found->execute([$nonce, Random::createIdempotencyKey(), $visitor, is_string($expired) ? $expired : '']);
    $attempt = $found->fetchAll(PDO::FETCH_COLUMN)[0] ?? null;
    try {
        $intent = $attempt ? $tollgate->createIntent(action: ACTION, nonce: $nonce, hostname: HOSTNAME, session: $visitor) : null;
    } catch (TollgateError $error) {
        error_log("no new intent for attempt $attempt: {$error->getMessage()}");
        http_response_code($error instanceof UnavailableError ? 503 : 500);
        return;
    }
    $attached = $db->prepare('update attempts set intent_id = ?, renewed_intent_id = ? where id = ? and token is null');
    $attached->execute([$intent?->intentId, $expired, $attempt]);
    http_response_code($attached->rowCount() === 1 ? 200 : 409);
    echo json_encode(['intent_id' => $intent?->intentId]);
}

/** Takes a submission: the first one freezes content and token, also if two arrive concurrently. */
function take(PDO $db, Tollgate $tollgate, string $visitor): void
{
    $attempt = find($db, $_POST['attempt'] ?? null, $visitor);
    if ($attempt === null) {
        say(403, 'Unknown form', 'This form was not opened in this browser.', link: 'Open a new form');
        return;
    }
    $email = is_string($_POST['email'] ?? null) ? trim($_POST['email']) : '';
    $token = $_POST['svc-captcha-response'] ?? null;
    if ($attempt['token'] === null) {
        // only what is valid is frozen
        if (preg_match(EMAIL, $email) !== 1) {
            show($db, $tollgate, $visitor, 'Please enter a valid e-mail address.', $email, 422);
            return;
        }
        if (!Tollgate::isResponseToken($token)) {
            show($db, $tollgate, $visitor, 'Please complete the verification.', $email, 422);
            return;
        }
        $db->prepare('update attempts set payload = ?, token = ? where id = ? and token is null')
            ->execute([$email, $token, $attempt['id']]);
        $attempt = find($db, $attempt['id'], $visitor);
    }
    if ([$attempt['payload'], $attempt['token']] !== [$email, $token]) {
        $text = 'This form was already sent with other content. The first submission counts; nothing was changed.';
        say(409, 'Already sent', $text, link: 'Open a new form');
        return;
    }
    settle($db, $tollgate, $visitor, $attempt);
}

/** Redeems the frozen token and signs up, once. A repetition gets the same result. */
function settle(PDO $db, Tollgate $tollgate, string $visitor, array $attempt): void
{
    try {
        if (!isDone($db, $attempt)) {
            $decision = $tollgate->verify(
                response: $attempt['token'],
                intentId: $attempt['intent_id'],
                action: $attempt['action'],
                hostname: $attempt['hostname'],
                idempotencyKey: $attempt['idempotency_key'],
            );
            $db->prepare('insert into subscribers values (?, ?, ?) on conflict (attempt) do nothing')
                ->execute([$attempt['id'], $decision->decisionId, $attempt['payload']]);
        }
    } catch (RefusedError $error) {
        error_log("attempt $attempt[id] not verified: {$error->getMessage()}");
        // a concurrent submission may have finished meanwhile
        if (!isDone($db, $attempt)) {
            $notice = 'The verification did not fit this form or has expired. Please send the form again.';
            show($db, $tollgate, $visitor, $notice, $attempt['payload'], 409);
            return;
        }
    } catch (TollgateError $error) {
        error_log("attempt $attempt[id] not verified: {$error->getMessage()}");
        fail($error, again: $attempt);
        return;
    }
    say(200, 'Welcome', "$attempt[payload] is on the list.");
}

/** The attempt, if it was shown to this session and has an intent. */
function find(PDO $db, mixed $attempt, string $visitor): ?array
{
    $found = $db->prepare('select * from attempts where id = ? and session = ? and intent_id is not null');
    $found->execute([is_string($attempt) ? $attempt : '', $visitor]);
    return $found->fetch(PDO::FETCH_ASSOC) ?: null;
}

function isDone(PDO $db, array $attempt): bool
{
    $done = $db->prepare('select 1 from subscribers where attempt = ?');
    $done->execute([$attempt['id']]);
    return $done->fetchColumn() !== false;
}

/** A page for a failed call: what happened and how to continue. Never a success. */
function fail(TollgateError $error, ?array $again = null, ?string $link = null): void
{
    if (!$error instanceof UnavailableError) {
        say(500, 'Something is wrong', 'Something is wrong on our side. You were not signed up.');
        return;
    }
    header('Retry-After: ' . ($error->retryAfter ?? 10));
    $text = 'We could not finish the verification. Please try again: you are never signed up twice.';
    say(503, 'Please try again', $text, $again, $link);
}

/** "Try again" sends exactly what was sent before: anything else would be another submission. */
function say(int $status, string $title, string $text, ?array $again = null, ?string $link = null): void
{
    http_response_code($status);
    $fields = $again === null
        ? []
        : ['attempt' => $again['id'], 'email' => $again['payload'], 'svc-captcha-response' => $again['token']];
    $form = '';
    foreach ($fields as $name => $value) {
        $form .= "<input type=\"hidden\" name=\"$name\" value=\"" . escape($value) . '">';
    }
    echo page($title, '<p>' . escape($text) . '</p>' . match (true) {
        $again !== null => "<form method=\"post\" action=\"/signup\">$form<button>Try again</button></form>",
        $link !== null => '<p><a href="/signup">' . escape($link) . '</a></p>',
        default => '',
    });
}

function page(string $title, string $html): string
{
    return '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark"><title>' . escape($title) . '</title><h1>' . escape($title) . "</h1>$html";
}

function escape(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE);
}
