<?php
/**
 * The form that was sent with this request.
 *
 * @package Tollgate
 */

namespace Tollgate\WordPress;

use Tollgate\RefusedError;
use Tollgate\Tollgate;
use Tollgate\TollgateError;
use Tollgate\UnavailableError;
use WP_Error;

defined( 'ABSPATH' ) || exit;

// The token of an attempt, which belongs to the session of the cookie, is what a nonce would be.
// phpcs:disable WordPress.Security.NonceVerification

/** Freezes the first submission of a form, verifies it, and lets WordPress act on it once. */
final class Submission {

	public const ATTEMPT = 'tollgate_attempt';
	public const TOKEN   = 'svc-captcha-response';
	public const FIELDS  = array( self::ATTEMPT, self::TOKEN );

	/** The attempt that was verified in this request and not completed yet. */
	private static ?array $verified = null;

	/** The submission that can be sent again as it was, because the service was unavailable. */
	public static ?array $kept = null;

	private static function posted( string $name ): string {
		return isset( $_POST[ $name ] ) && is_string( $_POST[ $name ] ) ? sanitize_text_field( wp_unslash( $_POST[ $name ] ) ) : '';
	}

	/** The visitor's record of the form, locked until the request ends; or an error. */
	private static function find( string $action ) {
		$id      = self::posted( self::ATTEMPT );
		$session = Session::find();
		if ( null === $session || ! wp_is_uuid( $id ) ) {
			return self::error( 'unknown' );
		}
		if ( ! Attempts::lock( $id ) ) {
			return self::error( 'unavailable' );
		}
		$attempt = Attempts::find( $id, $session );
		return null !== $attempt && $attempt['action'] === $action ? $attempt : self::error( 'unknown' );
	}

	/** Sends the visitor on, if this is a repetition of a form that was completed. Call it before anything is done. */
	public static function repeat( string $action ): void {
		$attempt = self::posted( self::TOKEN ) === '' ? null : self::find( $action );
		if ( is_array( $attempt ) && (string) $attempt['result'] !== '' && self::is_same( $attempt ) ) {
			wp_safe_redirect( $attempt['result'] );
			exit;
		}
	}

	/**
	 * Verifies the form.
	 *
	 * @return true|WP_Error
	 */
	public static function verify( string $action ) {
		if ( ! Settings::is_complete() ) {
			return self::error( 'failed' );
		}
		$token = self::posted( self::TOKEN );
		if ( ! Tollgate::isResponseToken( $token ) ) {
			return self::error( 'incomplete' );
		}
		$attempt = self::find( $action );
		if ( is_wp_error( $attempt ) ) {
			return $attempt;
		}
		if ( null === $attempt['token'] ) {
			$frozen  = array(
				'content' => self::content(),
				'token'   => $token,
			);
			$attempt = array_merge( $attempt, $frozen );
			Attempts::update( $attempt['id'], $frozen );
		} elseif ( ! self::is_same( $attempt ) ) {
			return self::error( 'changed' );
		} elseif ( null !== $attempt['result'] ) {
			return self::error( 'done' );
		}
		return self::redeem( $attempt );
	}

	/** Every value comes from the record, so a repetition is the same call and gets the same decision. */
	private static function redeem( array $attempt ) {
		try {
			$decision = Settings::client()->verify(
				response: $attempt['token'],
				intentId: $attempt['intent_id'],
				action: $attempt['action'],
				hostname: $attempt['hostname'],
				idempotencyKey: $attempt['idempotency_key']
			);
		} catch ( RefusedError $error ) {
			Attempts::update( $attempt['id'], array( 'refusal' => $error->errorCode ) );
			return self::error( 'refused' );
		} catch ( TollgateError | \InvalidArgumentException $error ) {
			Problem::note( $error );
			if ( ! $error instanceof UnavailableError ) {
				return self::error( 'failed' );
			}
			self::$kept = $attempt;
			return self::error( 'unavailable' );
		}
		$verified = array( 'decision_id' => $decision->decisionId );
		if ( $attempt['decision_id'] !== $decision->decisionId ) {
			Attempts::update( $attempt['id'], $verified );
		}
		self::$verified = array_merge( $attempt, $verified );
		return true;
	}

	/**
	 * Notes that WordPress has acted: it redirects to the result, which a repetition gets too. A sign-in can be repeated as it
	 * was, because a browser may have lost the cookies of the first answer.
	 */
	public static function complete( $location ) {
		if ( null !== self::$verified && 'login' !== self::$verified['action'] ) {
			Attempts::update( self::$verified['id'], array( 'result' => (string) $location ) );
			self::$verified = null;
		}
		return $location;
	}

	/** The decision of the form that was verified in this request. */
	public static function decision(): ?string {
		return self::$verified['decision_id'] ?? null;
	}

	private static function is_same( array $attempt ): bool {
		return self::posted( self::TOKEN ) === $attempt['token'] && hash_equals( (string) $attempt['content'], self::content() );
	}

	/** The keyed hash of what was entered: passwords are not stored. */
	private static function content(): string {
		$own    = array( ...self::FIELDS, 'submit', 'wp-submit' );
		$fields = array_filter(
			wp_unslash( $_POST ),
			static fn( $name ) => ! in_array( $name, $own, true ) && ! preg_match( '/^_|nonce/', (string) $name ),
			ARRAY_FILTER_USE_KEY
		);
		ksort( $fields );
		$trimmed = map_deep( $fields, static fn( $value ) => trim( (string) $value ) );
		return hash_hmac( 'sha256', http_build_query( $trimmed ), wp_salt( 'nonce' ) );
	}

	/** Whether the same form can be sent with a new verification. */
	public static function can_be_verified( WP_Error $error ): bool {
		return in_array( $error->get_error_code(), array( 'tollgate_incomplete', 'tollgate_unknown', 'tollgate_refused' ), true );
	}

	/** What visitors read. */
	private static function error( string $reason ): WP_Error {
		list( $status, $message ) = match ( $reason ) {
			'incomplete' => array( 422, __( 'Please complete the verification. If you do not see it, allow scripts for this page and reload it.', 'tollgate' ) ),
			'unknown' => array( 403, __( 'This form was not opened in this browser, or it is too old. Please send it again. If that does not help, allow cookies for this page.', 'tollgate' ) ),
			'changed' => array( 409, __( 'This form was already sent with other content. The first submission counts. To send something else, open the form again.', 'tollgate' ) ),
			'done' => array( 409, __( 'This form was already sent.', 'tollgate' ) ),
			'refused' => array( 409, __( 'The verification does not fit this form, or it has expired. Please send the form again.', 'tollgate' ) ),
			'unavailable' => array( 503, __( 'The verification could not be completed, so nothing was done. Please try again.', 'tollgate' ) ),
			default => array( 500, __( 'This website cannot verify visitors at the moment, so nothing was done. Please tell its administrator.', 'tollgate' ) ),
		};
		return new WP_Error( "tollgate_$reason", $message, array( 'status' => $status ) );
	}
}
