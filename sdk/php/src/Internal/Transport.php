<?php

declare(strict_types=1);

namespace Tollgate\Internal;

/**
 * One try: connects, sends and reads the complete answer within one time limit, on a connection of its own. No redirection is
 * followed and no proxy is read from the environment: the secret is sent to the configured address only.
 *
 * @internal
 */
abstract class Transport
{
    public const VERSION = '0.2.0';

    /** With ext-curl if PHP has it, else with streams. */
    public static function best(): self
    {
        return extension_loaded('curl') ? new CurlTransport() : new StreamTransport();
    }

    /** Posts the body once. Takes `$seconds` at most. */
    abstract public function send(
        Address $address,
        Keys $keys,
        string $path,
        #[\SensitiveParameter] string $body,
        float $seconds,
    ): Reply|NoReply;

    /** @return list<string> */
    protected static function headers(Keys $keys): array
    {
        return [
            'Authorization: ' . $keys->authorization(),
            'Content-Type: application/json',
            'Accept: application/json',
            'User-Agent: tollgate-php/' . self::VERSION,
            'Connection: close',
        ];
    }

    /** The file of certificate authorities that OpenSSL's own variable names. */
    protected static function authorities(): ?string
    {
        $file = getenv('SSL_CERT_FILE');
        return $file === false || $file === '' ? null : $file;
    }

    protected static function late(string $place, float $seconds): string
    {
        return sprintf('%s, no answer within %.3g s', $place, $seconds);
    }

    protected static function broken(string $place): NoReply
    {
        return new NoReply("$place, the answer is cut off or is not HTTP");
    }
}
