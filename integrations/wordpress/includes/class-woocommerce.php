<?php
/**
 * The forms of WooCommerce.
 *
 * @package Tollgate
 */

namespace Tollgate\WordPress;

use WP_Error;

defined( 'ABSPATH' ) || exit;

/** Sign-in, registration, lost password and the classic checkout of WooCommerce. Without WooCommerce, these hooks are never called. */
final class Woocommerce {

	public static function register(): void {
		$fields = array(
			'woocommerce_login_form'        => 'login',
			'woocommerce_register_form'     => 'register',
			'woocommerce_lostpassword_form' => 'lostpassword',
			// Outside the part of the checkout that WooCommerce renders again by itself.
			'woocommerce_checkout_after_customer_details' => 'checkout',
		);
		foreach ( $fields as $hook => $form ) {
			add_action(
				$hook,
				static function () use ( $form ): void {
					if ( Settings::protects( $form ) ) {
						Field::display( Field::html( $form ) );
					}
				}
			);
		}
		add_filter( 'woocommerce_process_login_errors', static fn( WP_Error $errors ) => self::judge( 'login', $errors ) );
		add_filter( 'woocommerce_process_registration_errors', static fn( WP_Error $errors ) => self::judge( 'register', $errors ) );
		add_action( 'lostpassword_post', array( self::class, 'check_lost_password' ) );
		add_action( 'woocommerce_after_checkout_validation', array( self::class, 'check_checkout' ), 100, 2 );
		// The same order cannot be placed twice; after an error, the form gets another intent.
		add_action( 'woocommerce_checkout_order_processed', static fn() => Submission::complete( '' ) );
	}

	private static function judge( string $form, WP_Error $errors ): WP_Error {
		if ( Settings::protects( $form ) ) {
			Login_Forms::judge( $form, $errors );
		}
		return $errors;
	}

	/** An order that WooCommerce refuses for another reason does not use up the verification. It notes some reasons elsewhere than in $errors. */
	public static function check_checkout( $data, WP_Error $errors ): void {
		if ( empty( $data['woocommerce_checkout_update_totals'] ) && 0 === wc_notice_count( 'error' ) ) {
			self::judge( 'checkout', $errors );
		}
	}

	/** WooCommerce handles its own form only if this field is there. */
	public static function check_lost_password( WP_Error $errors ): void {
		if ( isset( $_POST['wc_reset_password'] ) ) { // phpcs:ignore WordPress.Security.NonceVerification.Missing
			self::judge( 'lostpassword', $errors );
		}
	}
}
