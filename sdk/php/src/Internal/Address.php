<?php

declare(strict_types=1);

namespace Tollgate\Internal;

/**
 * The address of the service.
 *
 * @internal
 */
final class Address
{
    private const PATTERN = '~\A(https?)://(\[[0-9a-f:.]*:[0-9a-f:.]*\]|[0-9a-z](?:[0-9a-z.-]{0,251}[0-9a-z])?)(?::([0-9]{1,5}))?'
        . '(?:/[a-z0-9/._\~!$&\'()*+,;=:%-]*)?\z~i';

    private const LOOPBACK = '/\A(?:(?:[0-9a-z.-]+\.)?localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])\z/i';

    /**
     * @param string $base without a trailing slash
     * @param string $host an IPv6 address in brackets
     */
    private function __construct(
        public readonly string $base,
        public readonly bool $secure,
        public readonly string $host,
        public readonly int $port,
    ) {
    }

    /** @throws \InvalidArgumentException the address is unusable; the message says what to do */
    public static function read(mixed $url): self
    {
        if ($url === null || $url === false || $url === '') {
            $kind = $url === '' ? 'empty' : ($url === null ? 'null' : 'false');
            throw new \InvalidArgumentException("tollgate: url is $kind: is its environment variable set?");
        }
        if (!is_string($url) || preg_match(self::PATTERN, $url, $parts) !== 1 || (int) ($parts[3] ?? 0) > 65535) {
            throw new \InvalidArgumentException('tollgate: url must be the service\'s address, such as https://tollgate.example, in'
                . ' ASCII (names in Punycode), without user name, query or fragment');
        }
        $secure = strtolower($parts[1]) === 'https';
        $port = (int) ($parts[3] ?? 0) ?: ($secure ? 443 : 80);
        return new self(rtrim($url, '/'), $secure, $parts[2], $port);
    }

    /** @throws \InvalidArgumentException everybody on the way could read the secret */
    public function requireSecure(): void
    {
        if (!$this->secure && preg_match(self::LOOPBACK, $this->host) !== 1) {
            throw new \InvalidArgumentException('tollgate: url is http:, over which anybody on the way can read the secret: use'
                . ' https:, or pass allowInsecure: true if the network in between is yours');
        }
    }

    /** The Host header. */
    public function authority(): string
    {
        return explode('/', $this->base)[2];
    }

    /** Host and port, for messages. */
    public function place(): string
    {
        return "$this->host:$this->port";
    }
}
