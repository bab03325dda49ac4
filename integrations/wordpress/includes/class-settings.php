<?php
/**
 * The plugin's settings.
 *
 * @package Tollgate
 */

namespace Tollgate\WordPress;

use Tollgate\Tollgate;

defined( 'ABSPATH' ) || exit;

/** The option `tollgate`, and the constants of wp-config.php that replace parts of it. */
final class Settings {

	public const OPTION  = 'tollgate';
	public const VERSION = '0.2.0';

	/** The settings that a constant can replace. */
	public const CONSTANTS = array(
		'url'     => 'TOLLGATE_URL',
		'sitekey' => 'TOLLGATE_SITEKEY',
		'secret'  => 'TOLLGATE_SECRET',
	);

	public const DEFAULTS = array(
		'url'       => '',
		'sitekey'   => '',
		'secret'    => '',
		'protect'   => array( 'register', 'lostpassword', 'comment' ),
		'theme'     => 'auto',
		'logged_in' => false,
		'report'    => false,
	);

	/** The setting that the options page has saved, without constants. */
	public static function all(): array {
		return array_merge( self::DEFAULTS, (array) get_option( self::OPTION, array() ) );
	}

	/** A setting in effect. */
	public static function get( string $name ) {
		return self::is_constant( $name ) ? (string) constant( self::CONSTANTS[ $name ] ) : self::all()[ $name ];
	}

	public static function is_constant( string $name ): bool {
		return isset( self::CONSTANTS[ $name ] ) && defined( self::CONSTANTS[ $name ] );
	}

	/** Whether address and keys are there. */
	public static function is_complete(): bool {
		return '' !== self::get( 'url' ) && '' !== self::get( 'sitekey' ) && '' !== self::get( 'secret' );
	}

	/** Whether a form of WordPress or WooCommerce is protected. */
	public static function protects( string $form ): bool {
		return self::is_complete() && in_array( $form, self::get( 'protect' ), true );
	}

	/** What the settings page stores when its check has passed, so that it knows whether the values were changed since. */
	public static function checksum( string $url, string $sitekey, string $secret ): string {
		return wp_hash( "$url\n$sitekey\n$secret" );
	}

	/**
	 * The client of the service.
	 *
	 * @throws \InvalidArgumentException A setting is unusable; the message says which.
	 */
	public static function client(): Tollgate {
		// A visitor waits for the page.
		return new Tollgate( self::get( 'url' ), self::get( 'sitekey' ), self::get( 'secret' ), deadline: 8 );
	}

	/** The hostname of the pages, from the configuration of WordPress and never from the request. */
	public static function hostname(): string {
		return strtolower( (string) wp_parse_url( did_action( 'login_init' ) ? site_url() : home_url(), PHP_URL_HOST ) );
	}
}
