<?php

declare(strict_types=1);

namespace Tollgate\Internal;

use Tollgate\TollgateError;

/**
 * A request that sends the same bytes at every repetition, checked before it is sent, and the expected answer.
 *
 * @internal
 * @template-covariant T of object
 */
final class Call
{
    /** In the order of the contract's tables, which is also the order in which errors are reported. */
    private const FIELDS = [
        '/intents' => [
            'action' => 'name',
            'nonce' => 'key',
            'hostname' => 'hostname',
            'session' => 'hmac',
            'subject' => 'hmac',
            'trusted_grant_id' => 'uuid',
        ],
        '/siteverify' => [
            'response' => 'token',
            'intent_id' => 'uuid',
            'action' => 'name',
            'hostname' => 'hostname',
            'idempotency_key' => 'key',
        ],
        '/feedback' => [
            'decision_id' => 'decision',
            'event_id' => 'uuid',
            'outcome' => 'outcome',
            'business_type' => 'name',
            'occurred_at' => 'seconds',
            'supersedes_event_id' => 'uuid',
        ],
        '/grants' => ['decision_id' => 'decision', 'session' => 'hmac', 'ttl' => 'ttl', 'uses' => 'uses'],
        '/grants/revoke' => ['grant_id' => 'uuid', 'session' => 'hmac'],
    ];

    private const OPTIONAL = ['session', 'subject', 'trusted_grant_id', 'supersedes_event_id', 'ttl', 'uses', 'grant_id'];

    /** Part of messages, because there is no request id to search for. */
    private const NOT_SENT = 'not sent';

    /**
     * @param \Closure(array<mixed>, Reply): ?T $read reads the object and headers of a 200; null if it is not the answer to this call
     * @param ?string $sitekey of the answer, if it has one
     */
    private function __construct(
        public readonly string $path,
        public readonly string $body,
        public readonly \Closure $read,
        public readonly ?string $sitekey = null,
    ) {
    }

    /**
     * @template A of object
     * @param key-of<self::FIELDS> $path
     * @param array<string, mixed> $values null means absent
     * @param \Closure(array<mixed>, array<string, string|int>, Reply): ?A $read reads the answer to what was sent
     * @return self<A>
     * @throws TollgateError `secret-in-body` if a value contains text in the form of a secret key; `bad-request` if a field is
     *     missing or malformed
     */
    public static function to(
        string $path,
        #[\SensitiveParameter] array $values,
        \Closure $read,
        ?string $sitekey = null,
    ): self {
        $sent = self::check($path, $values);
        $body = json_encode($sent, JSON_THROW_ON_ERROR);
        return new self($path, $body, static fn (array $content, Reply $reply) => $read($content, $sent, $reply), $sitekey);
    }

    /**
     * The values as they are sent.
     *
     * @param key-of<self::FIELDS> $path
     * @param array<string, mixed> $values
     * @return array<string, string|int>
     */
    private static function check(string $path, #[\SensitiveParameter] array $values): array
    {
        foreach ($values as $value) {
            if (is_string($value) && preg_match(Keys::SECRET, $value) === 1) {
                throw Failure::create('secret-in-body', reason: self::NOT_SENT);
            }
        }
        $sent = [];
        foreach (self::FIELDS[$path] as $field => $grammar) {
            $value = self::convert($grammar, $values[$field] ?? null);
            if ($path === '/grants/revoke' && self::isWrongChoice($field, $values)) {
                throw Failure::create('bad-request', field: $field, reason: self::NOT_SENT, says: Explain::choice($field));
            }
            if ($value === null && in_array($field, self::OPTIONAL, true)) {
                continue;
            }
            if (!Grammar::matches($grammar, $value) || !is_string($value) && !is_int($value) && !is_float($value)) {
                $says = Explain::offence($field, $value);
                throw Failure::create('bad-request', field: $field, reason: self::NOT_SENT, says: $says);
            }
            $sent[$field] = is_float($value) ? (int) $value : $value;
        }
        return $sent;
    }

    /**
     * Exactly one of grant and session is required: wrong is the first if there is none, the second if there are two.
     *
     * @param array<string, mixed> $values
     */
    private static function isWrongChoice(string $field, #[\SensitiveParameter] array $values): bool
    {
        $given = isset($values['grant_id']) ? ['grant_id'] : [];
        $given = isset($values['session']) ? [...$given, 'session'] : $given;
        return in_array($field, $given === [] ? ['grant_id'] : array_slice($given, 1), true);
    }

    /** A UUID in lower case; Unix seconds of a time. Other values are returned as they are. */
    private static function convert(string $grammar, #[\SensitiveParameter] mixed $value): mixed
    {
        if ($grammar === 'uuid' && is_string($value)) {
            return strtolower($value);
        }
        return $value instanceof \DateTimeInterface ? $value->getTimestamp() : $value;
    }
}
