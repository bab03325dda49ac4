<?php
/**
 * The verification in a form.
 *
 * @package Tollgate
 */

namespace Tollgate\WordPress;

use Tollgate\TollgateError;

defined( 'ABSPATH' ) || exit;

/**
 * The HTML of the component. Pages of wp-login.php and of the administration are never cached, and contain the intent. All other
 * pages may come from a page cache: there, a script fetches the intent.
 */
final class Field {

	private const WIDGET = array(
		'class'  => true,
		'data-*' => true,
	);

	private const ALLOWED = array(
		'div'      => self::WIDGET,
		'input'    => array(
			'type'  => true,
			'name'  => true,
			'value' => true,
		),
		'p'        => array(
			'class' => true,
			'role'  => true,
		),
		'a'        => array( 'href' => true ),
		'noscript' => array(),
	);

	/** Registers scripts, shortcode and block. */
	public static function register(): void {
		$assets = plugins_url( 'assets/', __DIR__ );
		wp_register_style( 'tollgate', $assets . 'tollgate.css', array(), Settings::VERSION );
		wp_register_script( 'tollgate', $assets . 'tollgate.js', array(), Settings::VERSION, true );
		if ( Settings::is_complete() ) {
			wp_register_script( 'tollgate-widget', untrailingslashit( Settings::get( 'url' ) ) . '/widget.js', array(), Settings::VERSION, true );
			add_filter( 'script_loader_tag', array( self::class, 'load_async' ), 10, 2 );
		}
		wp_register_script( 'tollgate-block', $assets . 'block.js', array( 'wp-blocks', 'wp-element', 'wp-block-editor', 'wp-components', 'wp-i18n' ), Settings::VERSION, true );
		wp_set_script_translations( 'tollgate-block', 'tollgate', dirname( __DIR__ ) . '/languages' );

		$render = static fn( $attributes ) => self::html( is_array( $attributes ) ? (string) ( $attributes['action'] ?? 'form' ) : 'form' );
		add_shortcode( 'tollgate', $render );
		register_block_type(
			'tollgate/field',
			array(
				'api_version'     => 2,
				'editor_script'   => 'tollgate-block',
				'attributes'      => array(
					'action' => array(
						'type'    => 'string',
						'default' => 'form',
					),
				),
				'render_callback' => $render,
			)
		);
	}

	/** A deployment that does not answer does not hold up the page. */
	public static function load_async( string $tag, string $handle ): string {
		return 'tollgate-widget' === $handle ? str_replace( ' src=', ' async src=', $tag ) : $tag;
	}

	/** Prints what html() returned. */
	public static function display( string $html ): void {
		echo wp_kses( $html, self::ALLOWED );
	}

	/** The verification for a form; nothing while the plugin has no keys. */
	public static function html( string $action ): string {
		if ( ! Settings::is_complete() || ! preg_match( '/\A[\w-]{1,64}\z/', $action ) ) {
			return '';
		}
		wp_enqueue_style( 'tollgate' );
		wp_enqueue_script( 'tollgate-widget' );
		if ( did_action( 'login_init' ) || is_admin() ) {
			return self::inline( $action );
		}
		wp_enqueue_script( 'tollgate' );
		$attributes = array(
			'class'       => 'tollgate',
			'data-action' => $action,
			'data-failed' => __( 'The verification cannot be shown at the moment.', 'tollgate' ),
			'data-retry'  => __( 'Try again', 'tollgate' ),
		) + self::widget();
		return self::element( 'div', $attributes ) . '</div>' . self::noscript();
	}

	/** With an intent of its own, or with the reason why there is none. */
	private static function inline( string $action ): string {
		if ( ! headers_sent() ) {
			header( 'Cache-Control: no-store' );
		}
		if ( null !== Submission::$kept ) {
			return self::hidden( Submission::ATTEMPT, Submission::$kept['id'] )
				. self::hidden( Submission::TOKEN, Submission::$kept['token'] )
				. '<p class="tollgate">' . esc_html__( 'You are verified. Please send the form again.', 'tollgate' ) . '</p>';
		}
		try {
			$attempt = Attempts::open( $action );
		} catch ( TollgateError | \InvalidArgumentException $error ) {
			Problem::note( $error );
			if ( ! headers_sent() ) {
				status_header( 503 );
			}
			$message = current_user_can( 'manage_options' ) ? Problem::explain( $error ) : __( 'The verification cannot be shown at the moment.', 'tollgate' );
			// The same address, without what was posted.
			$again = remove_query_arg( 'settings-updated' );
			return '<p class="tollgate" role="alert">' . esc_html( $message ) . ' <a href="' . esc_url( $again ) . '">' . esc_html__( 'Try again', 'tollgate' ) . '</a></p>';
		}
		$attributes = array(
			'class'       => 'tollgate svc-captcha',
			'data-intent' => $attempt['intent_id'],
		) + self::widget();
		return self::hidden( Submission::ATTEMPT, $attempt['id'] ) . self::element( 'div', $attributes ) . '</div>' . self::noscript();
	}

	/** The attributes of the component that are the same in all forms. */
	private static function widget(): array {
		return array(
			'data-sitekey'  => Settings::get( 'sitekey' ),
			'data-endpoint' => untrailingslashit( Settings::get( 'url' ) ),
			'data-theme'    => Settings::get( 'theme' ),
			'data-renew'    => wp_make_link_relative( rest_url( Route::PATH ) ),
		);
	}

	private static function hidden( string $name, string $value ): string {
		return self::element( 'input', array( 'type' => 'hidden' ) + compact( 'name', 'value' ) );
	}

	private static function element( string $tag, array $attributes ): string {
		$html = "<$tag";
		foreach ( $attributes as $name => $value ) {
			$html .= " $name=\"" . esc_attr( $value ) . '"';
		}
		return "$html>";
	}

	private static function noscript(): string {
		return '<noscript>' . esc_html__( 'This form needs JavaScript, to verify that you are human. Please turn it on.', 'tollgate' ) . '</noscript>';
	}
}
