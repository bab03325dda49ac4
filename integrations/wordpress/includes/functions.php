<?php
/**
 * The functions for themes and other plugins.
 *
 * @package Tollgate
 */

defined( 'ABSPATH' ) || exit;

/**
 * Returns the verification for a form of your own, and prints it unless $display is false. Call it inside the form element.
 *
 * @param string $action  What the form does: 1 to 64 letters, digits, "-" and "_". It is shown in Tollgate's console.
 * @param bool   $display Whether to print it.
 * @return string Escaped HTML; empty while the plugin has no keys.
 */
function tollgate_field( string $action, bool $display = true ): string {
	$html = Tollgate\WordPress\Field::html( $action );
	if ( $display ) {
		Tollgate\WordPress\Field::display( $html );
	}
	return $html;
}

/**
 * Verifies the form that was sent with this request by POST. Call it after you have validated the form, and before you act on it.
 *
 * @param string $action The same as in tollgate_field().
 * @return true|WP_Error True once for each form. Otherwise an error with a message for the visitor, and the HTTP status as its data:
 *                       array( 'status' => 409 ).
 */
function tollgate_verify( string $action ) {
	$result = Tollgate\WordPress\Submission::verify( $action );
	if ( ! is_wp_error( $result ) ) {
		Tollgate\WordPress\Submission::complete( '' );
	}
	return $result;
}
