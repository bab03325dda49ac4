<?php

declare(strict_types=1);

namespace Tollgate\Internal;

/** @internal */
final class CurlTransport extends Transport
{
    /** ECONNREFUSED of Linux, of BSD and macOS, and of Windows. */
    private const REFUSED = [111, 61, 10061];

    public function send(
        Address $address,
        Keys $keys,
        string $path,
        #[\SensitiveParameter] string $body,
        float $seconds,
    ): Reply|NoReply {
        $lines = [];
        $received = '';
        $curl = curl_init();
        $authorities = self::authorities();
        curl_setopt_array($curl, [
            CURLOPT_URL => $address->base . $path,
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1,
            CURLOPT_SSLVERSION => CURL_SSLVERSION_TLSv1_2,
            CURLOPT_SSL_VERIFYPEER => true,
            CURLOPT_SSL_VERIFYHOST => 2,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROXY => '',
            CURLOPT_NOSIGNAL => true,
            CURLOPT_FRESH_CONNECT => true,
            CURLOPT_FORBID_REUSE => true,
            CURLOPT_TIMEOUT_MS => max(1, (int) round($seconds * 1000)),
            CURLOPT_POST => true,
            CURLOPT_POSTFIELDS => $body,
            // curl would wait for "100 Continue"
            CURLOPT_HTTPHEADER => [...self::headers($keys), 'Expect:'],
            CURLOPT_HEADERFUNCTION => function (mixed $curl, string $line) use (&$lines): int {
                // another head follows that of "100 Continue"
                if (str_starts_with($line, 'HTTP/')) {
                    $lines = [];
                }
                if (trim($line) !== '') {
                    $lines[] = trim($line);
                }
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => function (mixed $curl, string $bytes) use (&$received): int {
                $received .= $bytes;
                return strlen($received) > Reply::LIMIT ? -1 : strlen($bytes);
            },
        ] + ($authorities === null ? [] : [CURLOPT_CAINFO => $authorities]));
        $done = curl_exec($curl);
        $tooLong = strlen($received) > Reply::LIMIT;
        if ($done === false && !$tooLong) {
            return self::explain($curl, $address->place(), $seconds);
        }
        $head = Reply::readHead($lines);
        if ($head === null) {
            return self::broken($address->place());
        }
        return new Reply($head[0], $tooLong ? null : $received, $head[1], $address->place());
    }

    private static function explain(\CurlHandle $curl, string $place, float $seconds): NoReply
    {
        $code = curl_errno($curl);
        // past the handshake, something may have been sent
        if ((float) curl_getinfo($curl, CURLINFO_PRETRANSFER_TIME) > 0) {
            return $code === CURLE_OPERATION_TIMEOUTED
                ? new NoReply(self::late($place, $seconds))
                : self::broken($place);
        }
        $reason = $code === CURLE_OPERATION_TIMEOUTED ? self::late($place, $seconds) : "$place, " . (string) curl_strerror($code);
        return match (true) {
            // curl does not say whether the name does not exist or the name server did not answer
            $code === CURLE_COULDNT_RESOLVE_HOST => new NoReply($reason, 'no_name_server'),
            in_array(curl_getinfo($curl, CURLINFO_OS_ERRNO), self::REFUSED, true) => new NoReply($reason, 'refused'),
            $code === CURLE_COULDNT_CONNECT || $code === CURLE_OPERATION_TIMEOUTED => new NoReply($reason, 'no_connection'),
            default => NoReply::ofHandshake($place, curl_error($curl)),
        };
    }
}
