<?php

declare(strict_types=1);

namespace Tollgate\Internal;

use Tollgate\Decision;
use Tollgate\FeedbackReceipt;
use Tollgate\Grant;
use Tollgate\Intent;
use Tollgate\Revocation;

/**
 * Reads what the calls return, and checks that an answer belongs to its call: one for another site, page or intent must never be
 * accepted. Unknown fields are ignored, because a newer service may send more.
 *
 * @internal
 */
final class Answers
{
    /**
     * @param array<mixed> $reply
     * @param array<string, string|int> $sent
     */
    public static function readIntent(array $reply, array $sent, string $sitekey): ?Intent
    {
        $intentId = self::readUuid($reply['intent_id'] ?? null);
        $expiresAt = Grammar::readWhole($reply['expires_at'] ?? null, 0);
        $echoed = ($reply['sitekey'] ?? null) === $sitekey && self::echoes($reply, $sent, ['action', 'hostname']);
        if ($intentId === null || $expiresAt === null || !$echoed) {
            return null;
        }
        return new Intent($intentId, $sitekey, (string) $sent['action'], (string) $sent['hostname'], $expiresAt);
    }

    /**
     * @param array<mixed> $reply
     * @param array<string, string|int> $sent
     */
    public static function readDecision(array $reply, array $sent): ?Decision
    {
        $decisionId = $reply['decision_id'] ?? null;
        $passed = ($reply['success'] ?? null) === true && ($reply['assessment'] ?? null) === 'passed';
        $echoed = self::echoes($reply, $sent, ['intent_id', 'action', 'hostname']);
        if (!$passed || !$echoed || !is_string($decisionId) || !Grammar::matches('decision', $decisionId)) {
            return null;
        }
        return new Decision((string) $sent['intent_id'], (string) $sent['action'], (string) $sent['hostname'], $decisionId);
    }

    /**
     * @param array<mixed> $reply
     * @param array<string, string|int> $sent
     */
    public static function readFeedback(array $reply, array $sent, ?string $latestEvent): ?FeedbackReceipt
    {
        $revision = Grammar::readWhole($reply['revision'] ?? null, 1);
        $expiresAt = Grammar::readWhole($reply['expires_at'] ?? null, 0);
        $accepted = ($reply['accepted'] ?? null) === true && self::echoes($reply, $sent, ['event_id']);
        if ($revision === null || $expiresAt === null || !$accepted) {
            return null;
        }
        return new FeedbackReceipt((string) $sent['event_id'], $revision, $expiresAt, self::readUuid($latestEvent));
    }

    /** @param array<mixed> $reply */
    public static function readGrant(array $reply): ?Grant
    {
        $grantId = self::readUuid($reply['grant_id'] ?? null);
        $expiresAt = Grammar::readWhole($reply['expires_at'] ?? null, 0);
        $uses = Grammar::readWhole($reply['uses'] ?? null, 1);
        return $grantId === null || $expiresAt === null || $uses === null ? null : new Grant($grantId, $expiresAt, $uses);
    }

    /** @param array<mixed> $reply */
    public static function readRevocation(array $reply): ?Revocation
    {
        $revoked = Grammar::readWhole($reply['revoked'] ?? null, 0);
        return $revoked === null ? null : new Revocation($revoked);
    }

    /** A UUID in lower case, as the service sends it. */
    public static function readUuid(mixed $value): ?string
    {
        return is_string($value) && Grammar::matches('uuid', $value) && $value === strtolower($value) ? $value : null;
    }

    /**
     * @param array<mixed> $reply
     * @param array<string, string|int> $sent
     * @param list<string> $fields
     */
    private static function echoes(array $reply, array $sent, array $fields): bool
    {
        foreach ($fields as $field) {
            if (($reply[$field] ?? null) !== $sent[$field]) {
                return false;
            }
        }
        return true;
    }
}
