<?php

declare(strict_types=1);

namespace Tollgate\Internal;

/**
 * For PHP without ext-curl.
 *
 * @internal
 */
final class StreamTransport extends Transport
{
    private const HEAD_LIMIT = 64 * 1024;

    public function send(
        Address $address,
        Keys $keys,
        string $path,
        #[\SensitiveParameter] string $body,
        float $seconds,
    ): Reply|NoReply {
        $end = hrtime(true) / 1e9 + $seconds;
        $place = $address->place();
        $stream = self::connect($address, $seconds);
        if ($stream instanceof NoReply) {
            return $stream;
        }
        $prefix = substr($address->base, (int) strpos($address->base, '://') + 3 + strlen($address->authority()));
        $request = "POST $prefix$path HTTP/1.1\r\nHost: {$address->authority()}\r\n" . implode("\r\n", self::headers($keys))
            . "\r\nContent-Length: " . strlen($body) . "\r\n\r\n$body";
        stream_set_blocking($stream, false);
        $received = '';
        while (($left = $end - hrtime(true) / 1e9) > 0) {
            [$read, $write, $except] = [[$stream], $request === '' ? [] : [$stream], []];
            // TLS may have read bytes that the socket no longer has
            $pause = min($left, $address->secure ? 0.01 : $left);
            if (@stream_select($read, $write, $except, 0, (int) ceil($pause * 1e6)) === false) {
                return self::broken($place);
            }
            if ($write !== []) {
                $request = substr($request, (int) @fwrite($stream, $request));
            }
            $received .= (string) @fread($stream, 8192);
            $ended = feof($stream);
            $reply = self::parse($received, $ended, $place);
            if ($reply !== null || $ended || strlen($received) > self::HEAD_LIMIT + Reply::LIMIT) {
                return $reply ?? self::broken($place);
            }
        }
        return new NoReply(self::late($place, $seconds));
    }

    /** @return resource|NoReply */
    private static function connect(Address $address, float $seconds): mixed
    {
        $place = $address->place();
        $authorities = self::authorities();
        $context = stream_context_create(['ssl' => [
            'verify_peer' => true,
            'verify_peer_name' => true,
            'peer_name' => trim($address->host, '[]'),
            'crypto_method' => STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT | STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT,
        ] + ($authorities === null ? [] : ['cafile' => $authorities])]);
        $warnings = '';
        set_error_handler(function (int $level, string $message) use (&$warnings): bool {
            $warnings .= "$message\n";
            return true;
        });
        try {
            $scheme = $address->secure ? 'tls' : 'tcp';
            $stream = stream_socket_client("$scheme://$place", $code, $message, $seconds, STREAM_CLIENT_CONNECT, $context);
        } finally {
            restore_error_handler();
        }
        if ($stream !== false) {
            return $stream;
        }
        if (str_contains($warnings, 'getaddrinfo')) {
            $exists = !preg_match('/not known|no address|unknown host/i', $warnings);
            return new NoReply("$place, no address", $exists ? 'no_name_server' : 'unresolved', $exists);
        }
        if ($code === 0 && $address->secure) {
            return NoReply::ofHandshake($place, $warnings);
        }
        return new NoReply("$place, $message", str_contains($message, 'refused') ? 'refused' : 'no_connection');
    }

    /** The answer in these bytes; null if more must follow. */
    private static function parse(string $received, bool $ended, string $place): Reply|NoReply|null
    {
        if ($received !== '' && strncmp($received, 'HTTP/', min(5, strlen($received))) !== 0) {
            return self::broken($place);
        }
        [$head, $rest] = explode("\r\n\r\n", $received, 2) + [1 => null];
        if ($rest === null) {
            return strlen($head) > self::HEAD_LIMIT ? self::broken($place) : null;
        }
        $read = Reply::readHead(explode("\r\n", $head));
        if ($read === null) {
            return self::broken($place);
        }
        [$status, $headers] = $read;
        if ($status < 200) {
            return self::parse($rest, $ended, $place);
        }
        $body = self::bodyOf($status, $headers, $rest, $ended);
        $tooLong = strlen($body ?? $rest) > Reply::LIMIT;
        return $body === null && !$tooLong ? null : new Reply($status, $tooLong ? null : $body, $headers, $place);
    }

    /**
     * The complete body in these bytes; null if more must follow.
     *
     * @param array<string, string> $headers
     */
    private static function bodyOf(int $status, array $headers, string $rest, bool $ended): ?string
    {
        if ($status === 204 || $status === 304) {
            return '';
        }
        if (strtolower($headers['transfer-encoding'] ?? '') === 'chunked') {
            return self::joinChunks($rest);
        }
        $length = $headers['content-length'] ?? null;
        if ($length === null) {
            return $ended ? $rest : null;
        }
        return ctype_digit($length) && strlen($rest) >= $length ? substr($rest, 0, (int) $length) : null;
    }

    private static function joinChunks(string $rest): ?string
    {
        $body = '';
        while (preg_match('/\A([0-9a-f]{1,6})(?:;[^\r\n]*)?\r\n/i', $rest, $found) === 1) {
            $size = (int) hexdec($found[1]);
            if ($size === 0) {
                return $body;
            }
            if (strlen($rest) < strlen($found[0]) + $size + 2) {
                return null;
            }
            $body .= substr($rest, strlen($found[0]), $size);
            $rest = substr($rest, strlen($found[0]) + $size + 2);
        }
        return null;
    }
}
