<?php

declare(strict_types=1);

namespace Tollgate;

use Tollgate\Internal\Address;
use Tollgate\Internal\Grammar;

/** The component's HTML for a page, escaped: print it without `htmlspecialchars`, in Twig with `|raw`, in Blade with `{!! … !!}`. */
final class Html
{
    private const FUNCTION = '(?=.{1,128}\z)[A-Za-z_$][A-Za-z0-9_$]*(?:\.[A-Za-z_$][A-Za-z0-9_$]*)*';

    /** Without control characters. */
    private const TEXT = '[^\x00-\x1f\x7f-\x{9f}]+';

    /**
     * The component's element, to put inside the form.
     *
     * @param string|false|null $url the service's address for browsers
     * @param string|false|null $sitekey the site's public key
     * @param string $intentId of the intent that was opened for this form
     * @param 'auto'|'light'|'dark'|null $theme
     * @param 'normal'|'compact'|'flexible'|'invisible'|null $size
     * @param ?string $language a BCP 47 tag such as `de`; absent means the page's
     * @param 'auto'|'focus'|'submit'|null $start
     * @param ?string $renew a path of your own server, such as `/signup/intent`, that returns a new intent once this one has expired
     * @param ?string $callback name of a global function: `(token)`
     * @param ?string $errorCallback name of a global function: `(code)`
     * @param ?string $expiredCallback name of a global function: `()`
     * @param ?string $responseFieldName of the hidden field; absent means `svc-captcha-response`
     * @param ?int $tabindex -32768 to 32767
     * @param ?string $noscript text for browsers without JavaScript
     * @throws \InvalidArgumentException the component would not accept an option; the message names it
     */
    public static function renderWidget(
        mixed $url,
        mixed $sitekey,
        mixed $intentId,
        mixed $theme = null,
        mixed $size = null,
        mixed $language = null,
        mixed $start = null,
        mixed $renew = null,
        mixed $callback = null,
        mixed $errorCallback = null,
        mixed $expiredCallback = null,
        mixed $responseFieldName = null,
        mixed $tabindex = null,
        mixed $noscript = null,
    ): string {
        $attributes = [
            'class' => 'svc-captcha',
            'data-sitekey' => self::check('sitekey', $sitekey, Grammar::matches('sitekey', $sitekey)),
            'data-intent' => strtolower(self::check('intentId', $intentId, Grammar::matches('uuid', $intentId))),
            'data-endpoint' => Address::read($url)->base,
            'data-theme' => self::optional('theme', $theme, 'auto|light|dark'),
            'data-size' => self::optional('size', $size, 'normal|compact|flexible|invisible'),
            'data-language' => self::optional('language', $language, '(?=.{1,64}\z)[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8})*'),
            'data-start' => self::optional('start', $start, 'auto|focus|submit'),
            // on the page's own origin: two slashes, or a backslash, would start a host name
            'data-renew' => self::optional('renew', $renew, '(?=/(?![/\\\\]))' . self::TEXT),
            'data-callback' => self::optional('callback', $callback, self::FUNCTION),
            'data-error-callback' => self::optional('errorCallback', $errorCallback, self::FUNCTION),
            'data-expired-callback' => self::optional('expiredCallback', $expiredCallback, self::FUNCTION),
            'data-response-field-name' => self::optional('responseFieldName', $responseFieldName, self::TEXT),
            'data-tabindex' => self::index($tabindex),
        ];
        $element = '<div';
        foreach ($attributes as $name => $value) {
            $element .= $value === null ? '' : " $name=\"" . self::escape($value) . '"';
        }
        $words = self::optional('noscript', $noscript, self::TEXT);
        return "$element></div>" . ($words === null ? '' : '<noscript>' . self::escape($words) . '</noscript>');
    }

    /**
     * The component's script, once per page.
     *
     * @param string|false|null $url the service's address for browsers
     * @param ?string $nonce the page's Content-Security-Policy nonce
     * @throws \InvalidArgumentException the address or the nonce is malformed
     */
    public static function renderScript(mixed $url, mixed $nonce = null): string
    {
        $script = '<script src="' . self::escape(Address::read($url)->base) . '/widget.js" async defer';
        $value = self::optional('nonce', $nonce, '(?=.{1,512}\z)[A-Za-z0-9+/_-]+={0,2}');
        return $script . ($value === null ? '' : " nonce=\"$value\"") . '></script>';
    }

    private static function escape(string $text): string
    {
        return strtr($text, [
            '&' => '&amp;',
            '<' => '&lt;',
            '>' => '&gt;',
            '"' => '&quot;',
            "'" => '&#39;',
            '`' => '&#96;',
        ]);
    }

    private static function check(string $name, mixed $value, bool $accepted): string
    {
        if (!is_string($value) || !$accepted) {
            throw new \InvalidArgumentException("tollgate: $name is missing, or the component does not know this value");
        }
        return $value;
    }

    private static function optional(string $name, mixed $value, string $pattern): ?string
    {
        if ($value === null) {
            return null;
        }
        return self::check($name, $value, is_string($value) && preg_match("~\\A(?:$pattern)\\z~u", $value) === 1);
    }

    private static function index(mixed $value): ?string
    {
        if ($value === null) {
            return null;
        }
        $index = Grammar::readWhole($value, -32768, 32767);
        return $index === null
            ? throw new \InvalidArgumentException('tollgate: tabindex must be a whole number')
            : (string) $index;
    }
}
