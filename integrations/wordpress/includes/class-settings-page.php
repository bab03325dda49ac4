<?php
/**
 * Settings → Tollgate.
 *
 * @package Tollgate
 */

namespace Tollgate\WordPress;

defined( 'ABSPATH' ) || exit;

/** The settings by WordPress's Settings API, and a check that does a real verification. */
final class Settings_Page {

	private const PAGE  = 'tollgate';
	private const CHECK = 'tollgate_check';
	/** The option with the checksum of the values that the check has passed with. */
	private const CHECKED = 'tollgate_checked';

	public static function register( string $plugin ): void {
		add_action( 'admin_menu', array( self::class, 'add_page' ) );
		add_action( 'admin_init', array( self::class, 'add_settings' ) );
		add_action( 'admin_post_' . self::CHECK, array( self::class, 'check' ) );
		add_action( 'admin_notices', array( Problem::class, 'show' ) );
		add_filter(
			"plugin_action_links_$plugin",
			static fn( $links ) => array( '<a href="' . esc_url( self::url() ) . '">' . esc_html__( 'Settings', 'tollgate' ) . '</a>', ...$links )
		);
	}

	public static function url(): string {
		return admin_url( 'options-general.php?page=' . self::PAGE );
	}

	public static function add_page(): void {
		$hook = add_options_page( 'Tollgate', 'Tollgate', 'manage_options', self::PAGE, array( self::class, 'show' ) );
		// The check's field is opened while the page is printed, and sets headers.
		add_action( "load-$hook", static fn() => ob_start() );
	}

	public static function add_settings(): void {
		register_setting( self::PAGE, Settings::OPTION, array( 'sanitize_callback' => array( self::class, 'sanitize' ) ) );
		add_settings_section( 'keys', __( 'Connection', 'tollgate' ), array( self::class, 'explain_keys' ), self::PAGE );
		self::add_field( 'keys', 'url', __( 'Address of the service', 'tollgate' ), array( self::class, 'show_text' ), 'https://tollgate.example' );
		self::add_field( 'keys', 'sitekey', __( 'Site key', 'tollgate' ), array( self::class, 'show_text' ), 'tg_site_…' );
		self::add_field( 'keys', 'secret', __( 'Secret key', 'tollgate' ), array( self::class, 'show_text' ), 'tg_secret_…' );
		add_settings_section( 'forms', __( 'Forms', 'tollgate' ), '__return_null', self::PAGE );
		self::add_field( 'forms', 'protect', __( 'Protect', 'tollgate' ), array( self::class, 'show_forms' ) );
		self::add_field( 'forms', 'theme', __( 'Appearance', 'tollgate' ), array( self::class, 'show_theme' ) );
		self::add_field( 'forms', 'report', __( 'Feedback', 'tollgate' ), array( self::class, 'show_report' ) );
		wp_add_privacy_policy_content(
			'Tollgate',
			wp_kses_post( '<p>' . __( 'Before some forms are sent, the browser of the visitor solves a task of the verification service Tollgate. The service sees the network address of the visitor and which form it is, not what was entered. The cookie tollgate_session ties a form to the browser that opened it, and ends with the browser session. For up to two hours, this website keeps a keyed hash of the network address, to limit how many forms it opens.', 'tollgate' ) . '</p>' )
		);
	}

	private static function add_field( string $section, string $name, string $label, callable $show, string $example = '' ): void {
		$about = compact( 'name', 'example' );
		if ( in_array( $name, array( 'url', 'sitekey', 'secret', 'theme' ), true ) ) {
			$about['label_for'] = "tollgate_$name";
		}
		add_settings_field( "tollgate_$name", $label, $show, self::PAGE, $section, $about );
	}

	public static function explain_keys(): void {
		echo '<p>' . esc_html__( 'Enter the address of your Tollgate deployment, and the keys of your site from its console. The console shows the secret key once, when it is created.', 'tollgate' ) . '</p>';
	}

	public static function show_text( array $about ): void {
		list( 'name' => $name, 'example' => $example ) = $about;
		$id      = "tollgate_$name";
		$is_kept = 'secret' === $name && '' !== Settings::get( 'secret' );
		if ( Settings::is_constant( $name ) ) {
			/* translators: %s: name of a constant */
			$note = sprintf( __( 'Set by the constant %s in wp-config.php.', 'tollgate' ), Settings::CONSTANTS[ $name ] );
			printf(
				'<input id="%1$s" type="text" class="regular-text" value="%2$s" disabled><p class="description">%3$s</p>',
				esc_attr( $id ),
				esc_attr( 'secret' === $name ? '••••••••' : Settings::get( $name ) ),
				esc_html( $note )
			);
			return;
		}
		printf(
			'<input id="%1$s" name="%2$s" type="%3$s" class="regular-text code" value="%4$s" placeholder="%5$s" autocomplete="off" spellcheck="false">',
			esc_attr( $id ),
			esc_attr( Settings::OPTION . "[$name]" ),
			esc_attr( array( 'url' => 'url', 'secret' => 'password' )[ $name ] ?? 'text' ),
			esc_attr( 'secret' === $name ? '' : Settings::get( $name ) ),
			esc_attr( $is_kept ? '••••••••' : $example )
		);
		if ( $is_kept ) {
			echo '<p class="description">' . esc_html__( 'A key is saved. Leave the field empty to keep it.', 'tollgate' ) . '</p>';
		}
	}

	/** The forms by their names; those of WooCommerce if it is there. */
	private static function forms(): array {
		$forms = array(
			'comment'      => __( 'Comments', 'tollgate' ),
			'register'     => __( 'Registration', 'tollgate' ),
			'lostpassword' => __( 'Lost password', 'tollgate' ),
			'login'        => __( 'Sign-in', 'tollgate' ),
		);
		if ( class_exists( 'WooCommerce' ) ) {
			$forms['checkout'] = __( 'Checkout of WooCommerce (classic)', 'tollgate' );
		}
		return $forms;
	}

	public static function show_forms(): void {
		echo '<fieldset><legend class="screen-reader-text">' . esc_html__( 'Protect', 'tollgate' ) . '</legend>';
		foreach ( self::forms() as $form => $label ) {
			self::show_box( 'protect][', $form, $label, in_array( $form, Settings::get( 'protect' ), true ) );
			if ( 'comment' === $form ) {
				self::show_box( 'logged_in', '1', __( 'Comments of signed-in users', 'tollgate' ), Settings::get( 'logged_in' ) );
			}
		}
		echo '</fieldset><p class="description">' . esc_html__( 'If your site or your host has a page cache, empty it after each change. A page from before has no verification, and its form is refused.', 'tollgate' ) . '</p>';
		echo '<p class="description">' . esc_html__( 'Sign-in can be protected once the check below has passed with the saved keys. For your own forms, use the shortcode [tollgate], the block “Tollgate” or the function tollgate_field(), and verify them with tollgate_verify().', 'tollgate' ) . '</p>';
	}

	public static function show_theme(): void {
		echo '<select id="tollgate_theme" name="tollgate[theme]">';
		foreach ( self::themes() as $theme => $label ) {
			printf( '<option value="%1$s"%2$s>%3$s</option>', esc_attr( $theme ), selected( $theme, Settings::get( 'theme' ), false ), esc_html( $label ) );
		}
		echo '</select>';
	}

	private static function themes(): array {
		return array(
			'auto'  => __( 'Same as the page', 'tollgate' ),
			'light' => __( 'Light', 'tollgate' ),
			'dark'  => __( 'Dark', 'tollgate' ),
		);
	}

	public static function show_report(): void {
		self::show_box( 'report', '1', __( 'Report comments that a moderator marks as spam', 'tollgate' ), Settings::get( 'report' ) );
		echo '<p class="description">' . esc_html__( 'Tollgate learns which verification the comment had, not what it says.', 'tollgate' ) . '</p>';
	}

	private static function show_box( string $name, string $value, string $label, bool $is_on ): void {
		printf(
			'<label><input type="checkbox" name="%1$s" value="%2$s"%3$s> %4$s</label><br>',
			esc_attr( "tollgate[$name]" ),
			esc_attr( $value ),
			checked( $is_on, true, false ),
			esc_html( $label )
		);
	}

	/** What is saved. Keys of the wrong kind are reported and not saved, and sign-in needs a check that has passed. */
	public static function sanitize( $given ): array {
		$given = is_array( $given ) ? $given : array();
		$saved = Settings::all();
		foreach ( array( 'url' => '~^https?://~', 'sitekey' => '/^tg_site_/', 'secret' => '/^tg_secret_/' ) as $name => $pattern ) {
			$value = isset( $given[ $name ] ) && is_string( $given[ $name ] ) ? sanitize_text_field( $given[ $name ] ) : $saved[ $name ];
			if ( 'secret' === $name && '' === $value ) {
				continue;
			}
			if ( '' === $value || preg_match( $pattern, $value ) ) {
				$saved[ $name ] = 'url' === $name ? untrailingslashit( sanitize_url( $value ) ) : $value;
				continue;
			}
			add_settings_error(
				Settings::OPTION,
				$name,
				match ( $name ) {
					'url' => __( 'The address was not saved: it begins with https://, or with http:// on this machine.', 'tollgate' ),
					'sitekey' => __( 'The site key was not saved: it begins with tg_site_.', 'tollgate' ),
					default => __( 'The secret key was not saved: it begins with tg_secret_.', 'tollgate' ),
				}
			);
		}
		$saved['protect']   = array_values( array_intersect( array_merge( array_keys( self::forms() ), array( 'checkout' ) ), (array) ( $given['protect'] ?? array() ) ) );
		$saved['theme']     = isset( self::themes()[ $given['theme'] ?? '' ] ) ? $given['theme'] : 'auto';
		$saved['logged_in'] = ! empty( $given['logged_in'] );
		$saved['report']    = ! empty( $given['report'] );
		if ( in_array( 'login', $saved['protect'], true ) && ! self::is_checked( $saved ) ) {
			$saved['protect'] = array_values( array_diff( $saved['protect'], array( 'login' ) ) );
			add_settings_error( Settings::OPTION, 'login', __( 'Sign-in is not protected yet, because a wrong key could lock you out. Run the check with these keys first, then select it again.', 'tollgate' ) );
		}
		return $saved;
	}

	private static function is_checked( array $saved ): bool {
		$used = array();
		foreach ( array_keys( Settings::CONSTANTS ) as $name ) {
			$used[] = Settings::is_constant( $name ) ? Settings::get( $name ) : $saved[ $name ];
		}
		return Settings::checksum( ...$used ) === get_option( self::CHECKED );
	}

	public static function show(): void {
		if ( ! current_user_can( 'manage_options' ) ) {
			return;
		}
		echo '<div class="wrap"><h1>' . esc_html( get_admin_page_title() ) . '</h1><form method="post" action="options.php">';
		settings_fields( self::PAGE );
		do_settings_sections( self::PAGE );
		submit_button();
		echo '</form><h2>' . esc_html__( 'Check', 'tollgate' ) . '</h2>';
		if ( Settings::is_complete() ) {
			echo '<p>' . esc_html__( 'The check runs a complete verification, as a visitor’s form does. It is charged as one.', 'tollgate' ) . '</p>';
			echo '<form method="post" action="' . esc_url( admin_url( 'admin-post.php' ) ) . '">';
			wp_nonce_field( self::CHECK );
			echo '<input type="hidden" name="action" value="' . esc_attr( self::CHECK ) . '">';
			Field::display( Field::html( 'check' ) );
			submit_button( __( 'Check', 'tollgate' ), 'secondary', 'check' );
			echo '</form>';
		} else {
			echo '<p>' . esc_html__( 'Save the address and both keys first. Until then, no form is protected.', 'tollgate' ) . '</p>';
		}
		echo '</div>';
	}

	/** The check was sent. */
	public static function check(): void {
		if ( ! current_user_can( 'manage_options' ) ) {
			wp_die( esc_html__( 'Sorry, you are not allowed to do this.', 'tollgate' ), '', array( 'response' => 403 ) );
		}
		check_admin_referer( self::CHECK );
		Problem::clear();
		$result = Submission::verify( 'check' );
		if ( is_wp_error( $result ) ) {
			$message = Problem::latest() ?? $result->get_error_message();
			/* translators: %s: what is wrong */
			add_settings_error( Settings::OPTION, 'check', sprintf( __( 'The check failed. %s', 'tollgate' ), $message ) );
		} else {
			update_option( self::CHECKED, Settings::checksum( Settings::get( 'url' ), Settings::get( 'sitekey' ), Settings::get( 'secret' ) ) );
			add_settings_error( Settings::OPTION, 'check', __( 'The check passed. The forms that are selected below are protected. If your site or your host has a page cache, empty it now.', 'tollgate' ), 'success' );
		}
		set_transient( 'settings_errors', get_settings_errors(), 30 );
		wp_safe_redirect( add_query_arg( 'settings-updated', '1', self::url() ) );
		exit;
	}
}
