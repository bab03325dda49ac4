<?php

declare(strict_types=1);

namespace Tollgate;

use Tollgate\Internal\Address;
use Tollgate\Internal\Answers;
use Tollgate\Internal\Call;
use Tollgate\Internal\Clock;
use Tollgate\Internal\Grammar;
use Tollgate\Internal\Judge;
use Tollgate\Internal\Keys;
use Tollgate\Internal\Reply;
use Tollgate\Internal\Schedule;
use Tollgate\Internal\Transport;

/**
 * A client for one site.
 *
 * Every method repeats its call with the same bytes if that is safe and useful: without an answer, after 429 and 503, and after
 * errors of proxies. It checks that the answer belongs to the call. It returns, or throws a `TollgateError`; only a return is a
 * pass. Arguments of a wrong type are an `InvalidError` too, because they come from forms, sessions and databases.
 */
final class Tollgate
{
    public const VERSION = Transport::VERSION;

    private readonly Address $address;
    private readonly Keys $keys;
    private readonly float $timeout;
    private readonly float $deadline;
    private readonly Transport $transport;
    private readonly Clock $clock;

    /**
     * @param string|false|null $url the service's address, which may have a path, such as `https://tollgate.example`
     * @param string|false|null $sitekey the site's public key, `tg_site_…`
     * @param string|false|null $secret the site's secret key, `tg_secret_…`; it leaves this object in the Authorization header only
     * @param int|float $timeout seconds that one try may take, connecting and reading included
     * @param int|float $deadline seconds that a call may take with all its tries and waits
     * @param bool $allowInsecure allow `http:` to hosts other than this machine
     * @param ?Transport $transport for tests of this class
     * @param ?Clock $clock for tests of this class
     * @throws \InvalidArgumentException an option is unusable; the message says which and what to do
     */
    public function __construct(
        mixed $url,
        mixed $sitekey,
        #[\SensitiveParameter] mixed $secret,
        mixed $timeout = 5.0,
        mixed $deadline = 12.0,
        bool $allowInsecure = false,
        ?Transport $transport = null,
        ?Clock $clock = null,
    ) {
        $this->keys = new Keys($sitekey, $secret);
        // PHP 8.1 shows the arguments of all frames of an exception
        $sitekey = $secret = null;
        $this->address = Address::read($url);
        if (!$allowInsecure) {
            $this->address->requireSecure();
        }
        $fault = $this->keys->findFault();
        if ($fault !== null) {
            throw new \InvalidArgumentException("tollgate: $fault");
        }
        $this->timeout = self::readSeconds('timeout', $timeout);
        $this->deadline = self::readSeconds('deadline', $deadline);
        $this->transport = $transport ?? Transport::best();
        $this->clock = $clock ?? new Clock();
    }

    /**
     * Opens an intent for one form. The same nonce with the same fields gives the same intent.
     *
     * @param string $action what the visitor is about to do, in your own words: `checkout`, `signup`
     * @param string $nonce from `Random::createNonce()`, stored with the attempt before this call
     * @param string $hostname the hostname of the page with the form: no scheme, no port, lower case, Punycode
     * @param ?string $session `Hash::hashSession` of the visitor's session; a grant belongs to the session of its intent
     * @param ?string $subject `Hash::hashSubject` of the target of the action: account, e-mail address, card
     * @param ?string $trustedGrantId a grant, to skip the challenge; pass its session too, or none for a grant without one
     * @throws UnavailableError offer "try again"; with `quota-exceeded` no form could be submitted: alert yourself
     * @throws RefusedError open the intent without the grant, with a new nonce
     * @throws MisconfiguredError|InvalidError alert yourself
     */
    public function createIntent(
        mixed $action,
        mixed $nonce,
        mixed $hostname,
        mixed $session = null,
        mixed $subject = null,
        mixed $trustedGrantId = null,
    ): Intent {
        $sitekey = $this->keys->sitekey();
        return $this->perform(Call::to('/intents', [
            'action' => $action,
            'nonce' => $nonce,
            'hostname' => $hostname,
            'session' => $session,
            'subject' => $subject,
            'trusted_grant_id' => $trustedGrantId,
        ], static fn (array $reply, array $sent): ?Intent => Answers::readIntent($reply, $sent, $sitekey), $sitekey));
    }

    /**
     * Redeems the visitor's token: the visitor passed, and one unit is charged, however often this is repeated.
     *
     * @param mixed $response the form's field `svc-captcha-response`, frozen at the first submission
     * @param string $intentId as stored with the attempt, never from a form field; likewise the next two
     * @param string $action the intent's
     * @param string $hostname the intent's
     * @param string $idempotencyKey from `Random::createIdempotencyKey()`, stored with the attempt
     * @throws RefusedError not verified: show a fresh form. With `already-redeemed`, your own record may have the result
     * @throws UnavailableError offer "try again" for the same attempt: nothing is charged twice
     * @throws MisconfiguredError|InvalidError alert yourself
     */
    public function verify(
        #[\SensitiveParameter] mixed $response,
        mixed $intentId,
        mixed $action,
        mixed $hostname,
        mixed $idempotencyKey,
    ): Decision {
        return $this->perform(Call::to('/siteverify', [
            'response' => $response,
            'intent_id' => $intentId,
            'action' => $action,
            'hostname' => $hostname,
            'idempotency_key' => $idempotencyKey,
        ], static fn (array $reply, array $sent): ?Decision => Answers::readDecision($reply, $sent)));
    }

    /**
     * Reports the outcome of a decision, within seven days, or corrects the latest report.
     *
     * @param string $decisionId the decision's
     * @param string $eventId from `Random::createEventId()`, stored before this call
     * @param 'confirmed_abuse'|'legitimate'|'unknown' $outcome
     * @param string $businessType your name for the source of the information: `chargeback`, `manual_review`
     * @param int|\DateTimeInterface $occurredAt whole Unix seconds, or a date; not before the redemption, not after now
     * @param ?string $supersedesEventId the decision's latest event, which this one corrects: `latestEventId` of the last receipt or
     *     of the error below
     * @throws RefusedError `feedback-closed` after seven days; `supersede-required` or `supersede-stale` if another event came
     *     first, such as a correction in the console: `latestEventId` is the event to supersede
     * @throws TollgateError any other
     */
    public function feedback(
        mixed $decisionId,
        mixed $eventId,
        mixed $outcome,
        mixed $businessType,
        mixed $occurredAt,
        mixed $supersedesEventId = null,
    ): FeedbackReceipt {
        return $this->perform(Call::to('/feedback', [
            'decision_id' => $decisionId,
            'event_id' => $eventId,
            'outcome' => $outcome,
            'business_type' => $businessType,
            'occurred_at' => $occurredAt,
            'supersedes_event_id' => $supersedesEventId,
        ], static fn (array $reply, array $sent, Reply $about): ?FeedbackReceipt
            => Answers::readFeedback($reply, $sent, $about->header('tollgate-latest-event'))));
    }

    /**
     * Lets the next intents skip the challenge. The same request again gives the same grant.
     *
     * @param string $decisionId redeemed at most ten minutes ago. Either its own challenge was solved, or it was exempt and its intent
     *     has a session: then the grant is renewed, for 24 hours after the session's last solved challenge, or less if the site
     *     says so
     * @param ?string $session of the decision's intent; the grant belongs to it whether it is sent or not
     * @param ?int $ttl seconds, 60 to 3600; the service's default is 900
     * @param ?int $uses intents that it opens, 1 to 10; the service's default is 1
     * @throws RefusedError continue without a grant
     * @throws TollgateError any other
     */
    public function createGrant(mixed $decisionId, mixed $session = null, mixed $ttl = null, mixed $uses = null): Grant
    {
        $values = ['decision_id' => $decisionId, 'session' => $session, 'ttl' => $ttl, 'uses' => $uses];
        return $this->perform(Call::to('/grants', $values, static fn (array $reply): ?Grant => Answers::readGrant($reply)));
    }

    /**
     * Revokes one grant, or all of a session, for example at log-out. Pass exactly one of the two.
     *
     * @param ?string $grantId
     * @param ?string $session
     * @throws TollgateError the grants may still be valid
     */
    public function revokeGrant(mixed $grantId = null, mixed $session = null): Revocation
    {
        $values = ['grant_id' => $grantId, 'session' => $session];
        $read = static fn (array $reply): ?Revocation => Answers::readRevocation($reply);
        return $this->perform(Call::to('/grants/revoke', $values, $read));
    }

    /**
     * Whether a submitted field has the shape of a response token. Use it to check whether the visitor had finished the check,
     * before a submission is frozen. It does not check the token itself; only `verify` does.
     *
     * @phpstan-assert-if-true string $value
     */
    public static function isResponseToken(mixed $value): bool
    {
        return Grammar::matches('token', $value);
    }

    /**
     * @template T of object
     * @param Call<T> $call
     * @return T
     */
    private function perform(#[\SensitiveParameter] Call $call): object
    {
        $schedule = new Schedule($this->clock, $this->timeout, $this->deadline);
        while (true) {
            $time = $schedule->timeOfTry();
            $reply = $schedule->note($this->transport->send($this->address, $this->keys, $call->path, $call->body, $time));
            $outcome = Judge::judge($call, $reply);
            if (!$outcome instanceof TollgateError) {
                return $outcome;
            }
            $wait = $schedule->waitAfter($outcome);
            if ($wait === null) {
                throw $outcome;
            }
            $this->clock->sleep($wait);
        }
    }

    private static function readSeconds(string $name, mixed $value): float
    {
        if ((is_int($value) || is_float($value)) && is_finite($value) && $value > 0) {
            return (float) $value;
        }
        throw new \InvalidArgumentException("tollgate: $name must be a number of seconds above 0");
    }
}
