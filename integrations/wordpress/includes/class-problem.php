<?php
/**
 * Failures that the administrator has to know about.
 *
 * @package Tollgate
 */

namespace Tollgate\WordPress;

use Tollgate\TollgateError;

defined( 'ABSPATH' ) || exit;

/** The last failed call, in plain words. */
final class Problem {

	private const NOTED = 'tollgate_problem';

	/** Remembers a failure for the administrator's next visit. */
	public static function note( \Exception $error ): void {
		set_transient( self::NOTED, array( time(), self::explain( $error ) ), DAY_IN_SECONDS );
	}

	public static function clear(): void {
		delete_transient( self::NOTED );
	}

	/** What is wrong, if a failure was noted. */
	public static function latest(): ?string {
		$noted = get_transient( self::NOTED );
		return is_array( $noted ) ? $noted[1] : null;
	}

	/** Shows the failure of the last 24 hours in the administration. */
	public static function show(): void {
		$noted = get_transient( self::NOTED );
		if ( ! is_array( $noted ) || ! current_user_can( 'manage_options' ) ) {
			return;
		}
		printf(
			'<div class="notice notice-error"><p>%1$s %2$s <a href="%3$s">%4$s</a></p></div>',
			/* translators: %s: how long ago, such as "5 mins" */
			esc_html( sprintf( __( 'Tollgate could not verify a visitor %s ago.', 'tollgate' ), human_time_diff( $noted[0] ) ) ),
			esc_html( $noted[1] ),
			esc_url( Settings_Page::url() ),
			esc_html__( 'Open the settings and run the check', 'tollgate' )
		);
	}

	/** What is wrong and what to do, for the administrator. */
	public static function explain( \Exception $error ): string {
		$code  = $error instanceof TollgateError ? $error->errorCode : '';
		$field = $error instanceof TollgateError ? $error->field : null;
		if ( 'bad-request' === $code && 'hostname' === $field ) {
			/* translators: %s: a hostname such as "example.org" */
			return sprintf( __( 'The site in Tollgate’s console does not allow the hostname %s. Add it there.', 'tollgate' ), Settings::hostname() );
		}
		return match ( $code ) {
			'unauthorized' => __( 'The service does not accept the secret key. Copy it again from Tollgate’s console; a revoked or expired key must be replaced.', 'tollgate' ),
			'unreachable' => __( 'The service does not answer. Check the address, and whether this server may connect to it.', 'tollgate' ),
			'unexpected-answer', 'not-found', 'method-not-allowed' => __( 'Something other than Tollgate answers at this address, or the site key and the secret key belong to different sites. Check the address and the keys.', 'tollgate' ),
			'site-disabled' => __( 'The site is paused in Tollgate’s console. Resume it there.', 'tollgate' ),
			'quota-exceeded' => __( 'The quota is used up. See “Usage” in Tollgate’s console.', 'tollgate' ),
			'unavailable', 'internal-error' => __( 'The service cannot answer at the moment. Try again in a minute.', 'tollgate' ),
			'rate-limited' => __( 'Your sites send more requests than Tollgate’s limits allow. Try again in a minute. If this continues, see “Limits” in Tollgate’s documentation.', 'tollgate' ),
			Limit::REACHED => sprintf(
				/* translators: %d: a number such as 100 */
				__( 'One network address opened more than %d forms in ten minutes, so it has to wait. If all visitors seem to have the same address, your site is behind a proxy: see “Limit for each network” in the documentation.', 'tollgate' ),
				Limit::intents()
			),
			// The client names the setting or the value, in English.
			default => $error->getMessage(),
		};
	}
}
