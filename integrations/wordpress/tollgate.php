<?php
/**
 * Plugin Name: Tollgate
 * Description: Protects sign-in, registration, lost password, comments and your own forms from automated submissions.
 * Version: 0.2.0
 * Requires at least: 6.1
 * Requires PHP: 8.1
 * Author: Tollgate
 * License: Apache-2.0
 * License URI: https://www.apache.org/licenses/LICENSE-2.0
 * Text Domain: tollgate
 * Domain Path: /languages
 *
 * @package Tollgate
 */

namespace Tollgate\WordPress;

defined( 'ABSPATH' ) || exit;

spl_autoload_register(
	static function ( string $name ): void {
		if ( str_starts_with( $name, __NAMESPACE__ . '\\' ) ) {
			$name = strtolower( str_replace( '_', '-', substr( $name, strlen( __NAMESPACE__ ) + 1 ) ) );
			$file = __DIR__ . "/includes/class-$name.php";
		} elseif ( str_starts_with( $name, 'Tollgate\\' ) ) {
			$file = __DIR__ . '/sdk/' . str_replace( '\\', '/', substr( $name, strlen( 'Tollgate\\' ) ) ) . '.php';
		}
		if ( isset( $file ) && is_file( $file ) ) {
			require $file;
		}
	}
);

require __DIR__ . '/includes/functions.php';

register_activation_hook( __FILE__, array( Attempts::class, 'install' ) );
register_deactivation_hook( __FILE__, static fn() => wp_clear_scheduled_hook( 'tollgate_sweep' ) );

add_action(
	'init',
	static function (): void {
		// WordPress before 6.7 does not find the translations in this folder by itself.
		load_plugin_textdomain( 'tollgate', false, 'tollgate/languages' );
		// Also after an update, and on the sites of a network.
		if ( (int) get_option( 'tollgate_schema' ) !== Attempts::SCHEMA ) {
			Attempts::install();
		}
		Field::register();
	}
);
add_action( 'tollgate_sweep', array( Attempts::class, 'sweep' ) );
add_action( 'rest_api_init', array( Route::class, 'register' ) );
add_filter( 'wp_redirect', array( Submission::class, 'complete' ), PHP_INT_MAX );

Login_Forms::register();
Comments::register();
Woocommerce::register();
Reports::register();
if ( is_admin() ) {
	Settings_Page::register( plugin_basename( __FILE__ ) );
}
