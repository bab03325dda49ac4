<?php
/**
 * The visitor's session.
 *
 * @package Tollgate
 */

namespace Tollgate\WordPress;

use Tollgate\Hash;
use Tollgate\Random;

defined( 'ABSPATH' ) || exit;

/** Ties a form to the browser that opened it. The cookie is set together with an intent, and so never with a cached page. */
final class Session {

	private const COOKIE = 'tollgate_session';

	/** The keyed hash of the session; null if there is none. */
	public static function find(): ?string {
		$value = isset( $_COOKIE[ self::COOKIE ] ) ? sanitize_text_field( wp_unslash( $_COOKIE[ self::COOKIE ] ) ) : '';
		return preg_match( '/\A[\w-]{16,128}\z/', $value ) ? Hash::hashSession( wp_salt( 'nonce' ), $value ) : null;
	}

	/** The keyed hash of the session, which is started if there is none. */
	public static function open(): string {
		$found = self::find();
		if ( null !== $found ) {
			return $found;
		}
		$value   = Random::createNonce();
		$options = array(
			// WordPress and its pages can be in different folders.
			'path'     => '/',
			'domain'   => (string) COOKIE_DOMAIN,
			'secure'   => is_ssl(),
			'httponly' => true,
			'samesite' => 'Lax',
		);
		if ( ! headers_sent() ) {
			setcookie( self::COOKIE, $value, $options );
		}
		$_COOKIE[ self::COOKIE ] = $value;
		return Hash::hashSession( wp_salt( 'nonce' ), $value );
	}
}
