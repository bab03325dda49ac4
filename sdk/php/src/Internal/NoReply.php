<?php

declare(strict_types=1);

namespace Tollgate\Internal;

use Tollgate\Messages;

/**
 * No complete answer. The call may have been carried out or not.
 *
 * @internal
 */
final class NoReply
{
    /**
     * @param string $reason with host and port
     * @param ?key-of<Messages::COMMON> $nothingSent why the try sent nothing; null if something may have been sent
     * @param bool $passes whether another try may succeed, because the address need not be what is wrong
     */
    public function __construct(
        public readonly string $reason,
        public readonly ?string $nothingSent = null,
        public readonly bool $passes = true,
    ) {
    }

    /** Of a TLS handshake that failed, by the message of curl or OpenSSL. */
    public static function ofHandshake(string $place, string $message): self
    {
        return match (1) {
            preg_match('/certificate|did not match expected/i', $message)
                => new self("$place, the certificate was not accepted", 'certificate', false),
            // the same fault by versions of OpenSSL
            preg_match('/wrong version number|packet length too long|record layer failure/i', $message)
                => new self("$place, the answer is not TLS", 'no_tls', false),
            preg_match('/unexpected eof|SYSCALL|reset by peer|timed out|SSL: Success/i', $message)
                => new self("$place, the connection ended in the TLS handshake", 'no_handshake'),
            default => new self("$place, the TLS handshake failed", 'no_handshake', false),
        };
    }
}
