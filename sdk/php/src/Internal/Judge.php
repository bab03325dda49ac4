<?php

declare(strict_types=1);

namespace Tollgate\Internal;

use Tollgate\Messages;
use Tollgate\TollgateError;

/**
 * Converts an answer to the call's value or an error. Only a matching 200 is a value.
 *
 * @internal
 */
final class Judge
{
    private const REDIRECTIONS = [301, 302, 303, 307, 308];

    /** What the service received as Authorization, and the key of `Messages::COMMON`. */
    private const AUTHORIZATIONS = [
        'missing' => 'no_authorization',
        'malformed' => 'changed_authorization',
        'unknown' => 'unknown_secret',
    ];

    /**
     * The value of the call, or the error to throw. Its `retryable` says whether to repeat the call.
     *
     * @template T of object
     * @param Call<T> $call
     * @return T|TollgateError
     */
    public static function judge(#[\SensitiveParameter] Call $call, #[\SensitiveParameter] Reply|NoReply $reply): object
    {
        if ($reply instanceof NoReply) {
            $says = $reply->nothingSent === null ? null : Messages::COMMON[$reply->nothingSent];
            // what is wrong with an address is not better a second later
            return Failure::create('unreachable', reason: $reply->reason, retryable: $reply->passes, says: $says);
        }
        if ($reply->status !== 200) {
            return self::readRefusal($reply);
        }
        if ($reply->body === null) {
            return self::fail('unexpected-answer', $reply, reason: 'longer than 64 KiB');
        }
        try {
            $content = json_decode($reply->body, true, flags: JSON_THROW_ON_ERROR);
        } catch (\JsonException) {
            // the answer is from a proxy, and the next try may reach the service
            return self::fail('unexpected-answer', $reply, retryable: true, reason: 'no JSON');
        }
        $content = is_array($content) ? $content : [];
        return ($call->read)($content, $reply) ?? self::fail(
            'unexpected-answer',
            $reply,
            reason: 'not for this call',
            says: self::explainForeign($call->sitekey, $content['sitekey'] ?? null),
        );
    }

    /** The answer is for another site than that of the site key: the secret is that site's. */
    private static function explainForeign(?string $ours, mixed $theirs): ?string
    {
        if ($ours === null || $theirs === $ours || !is_string($theirs) || !Grammar::matches('sitekey', $theirs)) {
            return null;
        }
        return strtr(Messages::COMMON['foreign'], ['<theirs>' => $theirs, '<ours>' => $ours]);
    }

    private static function readRefusal(#[\SensitiveParameter] Reply $reply): TollgateError
    {
        $status = $reply->status;
        $retryable = $status === 429 || $status === 503;
        if ($status === 502 || $status === 504) {
            return self::fail('unreachable', $reply, null, true, $reply->place, Messages::COMMON['gateway']);
        }
        $content = json_decode($reply->body ?? '', true);
        $content = is_array($content) ? $content : [];
        $code = Grammar::matchText('[a-z]+(?:-[a-z]+)*', $content['error'] ?? null);
        $field = Grammar::matchText('[a-z_]{1,40}', $content['field'] ?? null);
        $known = Messages::ERRORS[$code ?? ''] ?? null;
        if ($code !== null && $known !== null && in_array($status, $known['statuses'], true)) {
            $says = match (true) {
                $code === 'unauthorized' => self::explainUnauthorized($reply->header('tollgate-authorization')),
                $code === 'bad-request' && $status === 422 && $field !== null => Explain::refusal($field),
                default => null,
            };
            return self::fail($code, $reply, $field, $retryable, says: $says);
        }
        if ($code !== null && $known === null && $status >= 400) {
            return self::fail($code, $reply, $field, $retryable);
        }
        if ($retryable) {
            return self::fail($status === 429 ? 'rate-limited' : 'unavailable', $reply, retryable: true);
        }
        $says = in_array($status, self::REDIRECTIONS, true) ? Messages::COMMON['redirected'] : null;
        return self::fail('unexpected-answer', $reply, says: $says);
    }

    private static function explainUnauthorized(?string $received): ?string
    {
        $key = self::AUTHORIZATIONS[$received ?? ''] ?? null;
        return $key === null ? null : Messages::COMMON[$key];
    }

    private static function fail(
        string $code,
        #[\SensitiveParameter] Reply $reply,
        ?string $field = null,
        bool $retryable = false,
        ?string $reason = null,
        ?string $says = null,
    ): TollgateError {
        return Failure::create(
            $code,
            $reply->status,
            $field,
            Grammar::matchText('req_[A-Za-z0-9_-]{1,64}', $reply->header('x-request-id')),
            self::readRetryAfter($reply->header('retry-after'), $reply->header('date')),
            $retryable,
            Answers::readUuid($reply->header('tollgate-latest-event')),
            $reason,
            $says,
        );
    }

    /** Seconds, given as a number or as a date. A date is relative to the answer's own `Date` header: clocks differ. */
    private static function readRetryAfter(?string $wait, ?string $date): ?int
    {
        if ($wait === null || Grammar::matchText('[0-9]{1,9}', $wait) !== null) {
            return $wait === null ? null : (int) $wait;
        }
        $until = self::readDate($wait);
        $now = $date === null ? time() : self::readDate($date);
        return $until === null || $now === null ? null : max(0, $until - $now);
    }

    private static function readDate(string $text): ?int
    {
        $date = \DateTimeImmutable::createFromFormat('D, d M Y H:i:s \G\M\T', $text, new \DateTimeZone('UTC'));
        return $date === false ? null : $date->getTimestamp();
    }
}
