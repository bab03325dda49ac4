<?php
/**
 * The forms of wp-login.php.
 *
 * @package Tollgate
 */

namespace Tollgate\WordPress;

use WP_Error;
use WP_User;

defined( 'ABSPATH' ) || exit;

/** Sign-in, registration and lost password. Sign-ins by XML-RPC, application passwords and WP-CLI have no form and stay as they are. */
final class Login_Forms {

	/** Errors that say something about an account: they are for verified visitors only. */
	private const REVEALING = array( 'username_exists', 'email_exists', 'invalid_email', 'invalidcombo' );

	/** The form of wp-login.php that was sent with this request. */
	private static string $sent = '';

	public static function register(): void {
		// What a form's field finds out must still be able to change the status.
		add_action( 'login_init', static fn() => ob_start() );
		foreach ( array( 'login', 'register', 'lostpassword', 'retrievepassword' ) as $action ) {
			$form = 'retrievepassword' === $action ? 'lostpassword' : $action;
			add_action( "login_form_$action", static fn() => self::begin( $form ) );
		}
		add_action( 'login_form', static fn() => self::show( 'login' ) );
		add_action( 'register_form', static fn() => self::show( 'register' ) );
		add_action( 'lostpassword_form', static fn() => self::show( 'lostpassword' ) );
		add_filter( 'login_form_middle', static fn( $html ) => Settings::protects( 'login' ) ? $html . Field::html( 'login' ) : $html );

		add_filter( 'authenticate', array( self::class, 'check_sign_in' ), 100, 3 );
		add_filter( 'registration_errors', array( self::class, 'check_registration' ), 100 );
		add_action( 'lostpassword_post', array( self::class, 'check_lost_password' ), 100 );
	}

	private static function begin( string $form ): void {
		$method = isset( $_SERVER['REQUEST_METHOD'] ) ? sanitize_key( $_SERVER['REQUEST_METHOD'] ) : '';
		if ( 'post' === $method && Settings::protects( $form ) ) {
			self::$sent = $form;
			Submission::repeat( $form );
		}
	}

	private static function show( string $form ): void {
		if ( Settings::protects( $form ) ) {
			Field::display( Field::html( $form ) );
		}
	}

	/** After the password was checked, so that the answer to a visitor who is not verified is the same for every password. */
	public static function check_sign_in( $user, $username, $password ) {
		if ( 'login' !== self::$sent || self::is_exempt( $user ) ) {
			return $user;
		}
		if ( '' === $username || '' === $password ) {
			self::set_status( 422 );
			return $user;
		}
		$result = Submission::verify( 'login' );
		if ( is_wp_error( $result ) ) {
			self::set_status( $result->get_error_data()['status'] );
		}
		return is_wp_error( $result ) ? $result : $user;
	}

	/** By the constant in wp-config.php, for the case that an administrator cannot be verified. */
	private static function is_exempt( $user ): bool {
		return defined( 'TOLLGATE_EXEMPT_ADMINISTRATORS' ) && TOLLGATE_EXEMPT_ADMINISTRATORS
			&& $user instanceof WP_User && $user->has_cap( 'manage_options' );
	}

	public static function check_registration( WP_Error $errors ): WP_Error {
		if ( 'register' === self::$sent ) {
			self::judge( 'register', $errors );
		}
		return $errors;
	}

	public static function check_lost_password( WP_Error $errors ): void {
		if ( 'lostpassword' === self::$sent ) {
			self::judge( 'lostpassword', $errors );
		}
	}

	/** A form that is filled in wrongly does not use up the verification. */
	public static function judge( string $form, WP_Error $errors ): void {
		if ( array_diff( $errors->get_error_codes(), self::REVEALING ) ) {
			self::set_status( 422 );
			return;
		}
		$result = Submission::verify( $form );
		if ( is_wp_error( $result ) ) {
			self::set_status( $result->get_error_data()['status'] );
			foreach ( $errors->get_error_codes() as $code ) {
				$errors->remove( $code );
			}
			$errors->merge_from( $result );
		}
	}

	private static function set_status( int $status ): void {
		// Scripts that send forms, such as WooCommerce's at its checkout, show the messages of answers with the status 200 only.
		if ( ! headers_sent() && ! wp_doing_ajax() ) {
			status_header( $status );
		}
	}
}
