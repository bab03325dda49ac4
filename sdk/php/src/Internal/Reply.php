<?php

declare(strict_types=1);

namespace Tollgate\Internal;

/**
 * An answer as received, from the service or a proxy.
 *
 * @internal
 */
final class Reply
{
    /** Bytes. The service's longest answer is a hundredth of that. */
    public const LIMIT = 64 * 1024;

    /**
     * @param ?string $body null if it is longer than the limit
     * @param array<string, string> $headers by their names in lower case; several with one name are joined by commas
     * @param string $place host and port
     */
    public function __construct(
        public readonly int $status,
        public readonly ?string $body,
        private readonly array $headers,
        public readonly string $place,
    ) {
    }

    public function header(string $name): ?string
    {
        return $this->headers[$name] ?? null;
    }

    /**
     * The status and headers in the lines of a head; null if it is not one of HTTP.
     *
     * @param list<string> $lines
     * @return ?array{int, array<string, string>}
     */
    public static function readHead(array $lines): ?array
    {
        if (preg_match('~\AHTTP/\d(?:\.\d)? ([1-5]\d\d)(?: |\z)~', array_shift($lines) ?? '', $found) !== 1) {
            return null;
        }
        $headers = [];
        foreach ($lines as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $name = strtolower(trim($name));
            $headers[$name] = isset($headers[$name]) ? "$headers[$name], " . trim($value) : trim($value);
        }
        return [(int) $found[1], $headers];
    }
}
