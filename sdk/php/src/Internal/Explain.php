<?php

declare(strict_types=1);

namespace Tollgate\Internal;

use Tollgate\Messages;

/**
 * Explains which rule a value breaks, without repeating the value, which may be visitor data.
 *
 * @internal
 */
final class Explain
{
    /** The rule of a field, and what is wrong with this value. */
    public static function offence(string $field, #[\SensitiveParameter] mixed $value): string
    {
        $reason = self::reasonOf($field, $value);
        return "`$field` " . Messages::FIELDS[$field]['rule'] . ($reason === null ? '' : ": $reason");
    }

    /** Exactly one of grant and session is required. */
    public static function choice(string $field): string
    {
        return "`$field`: " . Messages::COMMON['one_of'];
    }

    /** Why the service refused a well-formed field; a malformed one would not have been sent. */
    public static function refusal(string $field): string
    {
        return "`$field` " . (Messages::FIELDS[$field]['service'] ?? Messages::COMMON['service']);
    }

    private static function reasonOf(string $field, #[\SensitiveParameter] mixed $value): ?string
    {
        $texts = Messages::FIELDS[$field];
        if ($value === null || $value === '') {
            return $value === null
                ? $texts['missing'] ?? Messages::COMMON['missing']
                : $texts['empty'] ?? Messages::COMMON['empty'];
        }
        if (isset($texts['number'])) {
            if (!is_int($value) && !is_float($value)) {
                return Messages::COMMON['not_number'];
            }
            return is_float($value) && floor($value) !== $value ? Messages::COMMON['not_whole'] : null;
        }
        if (!is_string($value)) {
            return Messages::COMMON['not_text'];
        }
        foreach ($texts['hints'] as ['pattern' => $pattern, 'says' => $says]) {
            if (preg_match("~$pattern~u", $value) === 1) {
                return $says;
            }
        }
        return null;
    }
}
