<?php

declare(strict_types=1);

namespace Tollgate\Internal;

/**
 * A site's two keys together, because they may have been swapped.
 *
 * @internal
 */
final class Keys
{
    /** The form of a secret key, anywhere in a text. */
    public const SECRET = '/tg_secret_[0-9A-Za-z]{49}/';

    /** Of a secret key, with `tg_secret_`. */
    private const SECRET_LENGTH = 59;

    private const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

    /** @var ?\WeakMap<self, array{mixed, mixed}> not a property of the object, because dumps and error reporters print those */
    private static ?\WeakMap $values = null;

    public function __construct(mixed $sitekey, #[\SensitiveParameter] mixed $secret)
    {
        /** @var \WeakMap<self, array{mixed, mixed}> $values */
        $values = self::$values ?? new \WeakMap();
        $values[$this] = [$sitekey, $secret];
        self::$values = $values;
    }

    public function sitekey(): string
    {
        [$sitekey] = $this->values();
        return is_string($sitekey) ? $sitekey : '';
    }

    /** The Authorization header's value. */
    public function authorization(): string
    {
        [, $secret] = $this->values();
        return 'Bearer ' . (is_string($secret) ? $secret : '');
    }

    /** What is wrong with the keys and what to do about it, without quoting either; null if nothing is. */
    public function findFault(): ?string
    {
        [$sitekey, $secret] = $this->values();
        foreach (['sitekey' => $sitekey, 'secret' => $secret] as $name => $value) {
            if ($value === null || $value === false || $value === '') {
                $kind = $value === '' ? 'empty' : ($value === null ? 'null' : 'false');
                return "$name is $kind: is its environment variable set?";
            }
        }
        return match (true) {
            self::isSecret($sitekey) && Grammar::matches('sitekey', $secret) => 'sitekey and secret are swapped: the site key begins'
                . ' with tg_site_, the secret key with tg_secret_; if the secret ever stood in a page, rotate it',
            self::isSecret($sitekey) => 'sitekey holds a secret key: pass the site key, tg_site_…, and rotate the secret if it'
                . ' stood in a page',
            !Grammar::matches('sitekey', $sitekey) => 'sitekey is no site key: copy it from the console, tg_site_ and 20 letters or'
                . ' digits',
            Grammar::matches('sitekey', $secret) => 'secret holds the site key: pass the secret key, tg_secret_…, from your'
                . ' backend\'s settings',
            !is_string($secret) => 'secret is not text: pass the site\'s secret key, tg_secret_…, from your backend\'s settings',
            str_starts_with($secret, 'tg_secret_') && strlen($secret) !== self::SECRET_LENGTH => 'secret has ' . strlen($secret)
                . ' characters instead of ' . self::SECRET_LENGTH . ': copy it whole from where you keep it, tg_secret_ and 49 letters'
                . ' or digits, without spaces, quotes or line ends',
            !self::isSecret($secret) => 'secret is mistyped, its checksum is wrong: copy it whole from where you keep it,'
                . ' tg_secret_ and 49 letters or digits, without spaces, quotes or line ends',
            default => null,
        };
    }

    /** CRC-32 (IEEE) of ASCII text as six digits of base 62. */
    public static function checksum(#[\SensitiveParameter] string $text): string
    {
        $rest = crc32($text);
        $digits = '';
        for ($i = 0; $i < 6; $i++) {
            $digits = self::DIGITS[$rest % 62] . $digits;
            $rest = intdiv($rest, 62);
        }
        return $digits;
    }

    private static function isSecret(#[\SensitiveParameter] mixed $value): bool
    {
        return Grammar::matches('secret', $value) && is_string($value)
            && self::checksum(substr($value, 0, -6)) === substr($value, -6);
    }

    /** @return array{mixed, mixed} */
    private function values(): array
    {
        return self::$values[$this] ?? [null, null];
    }

    private function __clone()
    {
    }

    public function __serialize(): never
    {
        throw new \LogicException('tollgate: keys and clients are not serialized or copied: the secret would leave with them');
    }
}
