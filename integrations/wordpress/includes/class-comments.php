<?php
/**
 * The comment form.
 *
 * @package Tollgate
 */

namespace Tollgate\WordPress;

use WP_Error;

defined( 'ABSPATH' ) || exit;

/** Comments of guests, and of everybody if the setting says so. Comments by XML-RPC and REST need an account and stay as they are. */
final class Comments {

	/** The meta key of the decision that a comment was accepted by. */
	public const DECISION = '_tollgate_decision';

	private static bool $is_sent = false;

	public static function register(): void {
		add_filter( 'comment_form_submit_field', array( self::class, 'add_field' ) );
		add_action( 'pre_comment_on_post', array( self::class, 'begin' ) );
		// Before Akismet, at 1.
		add_filter( 'preprocess_comment', array( self::class, 'check' ), 0 );
		add_action( 'comment_post', array( self::class, 'remember' ) );
	}

	private static function is_protected(): bool {
		return Settings::protects( 'comment' ) && ( ! is_user_logged_in() || Settings::get( 'logged_in' ) );
	}

	public static function add_field( string $html ): string {
		return self::is_protected() ? Field::html( 'comment' ) . $html : $html;
	}

	/** The form was sent; other ways to comment do not come here. */
	public static function begin(): void {
		if ( self::is_protected() ) {
			self::$is_sent = true;
			Submission::repeat( 'comment' );
		}
	}

	public static function check( array $comment ): array {
		if ( self::$is_sent ) {
			$result = Submission::verify( 'comment' );
			if ( is_wp_error( $result ) ) {
				self::refuse( $result, (int) $comment['comment_post_ID'] );
			}
		}
		return $comment;
	}

	public static function remember( $comment_id ): void {
		if ( self::$is_sent && null !== Submission::decision() ) {
			add_comment_meta( $comment_id, self::DECISION, Submission::decision(), true );
		}
	}

	/** A page with the reason and the visitor's text, to send it again: as it was if the service was unavailable, otherwise with a new verification. */
	private static function refuse( WP_Error $error, int $post_id ): void {
		$title = __( 'Comment not sent', 'tollgate' );
		$page  = '<h1>' . esc_html( $title ) . '</h1><p>' . esc_html( $error->get_error_message() ) . '</p>';
		$post  = get_permalink( $post_id );
		// What was entered, shown to the visitor who has entered it.
		$sent = wp_unslash( $_POST ); // phpcs:ignore WordPress.Security.NonceVerification.Missing
		$kept = null !== Submission::$kept;
		if ( ( $kept || Submission::can_be_verified( $error ) ) && array_filter( $sent, 'is_string' ) === $sent ) {
			$page .= '<form method="post" action="' . esc_url( site_url( '/wp-comments-post.php' ) ) . '">';
			foreach ( $kept ? $sent : array_diff_key( $sent, array_flip( Submission::FIELDS ) ) as $name => $value ) {
				$page .= '<input type="hidden" name="' . esc_attr( $name ) . '" value="' . esc_attr( $value ) . '">';
			}
			$page .= ( $kept ? '' : Field::html( 'comment' ) ) . '<p><button class="button">' . esc_html__( 'Try again', 'tollgate' ) . '</button></p></form>';
		}
		$text  = isset( $sent['comment'] ) && is_string( $sent['comment'] ) ? $sent['comment'] : '';
		$page .= '<p><label for="comment">' . esc_html__( 'Your comment', 'tollgate' ) . '</label></p>'
			. '<p><textarea id="comment" rows="6" style="width:100%" readonly>' . esc_textarea( $text ) . '</textarea></p>'
			. '<p><a href="' . esc_url( $post . '#respond' ) . '">' . esc_html__( 'Back to the form', 'tollgate' ) . '</a></p>';
		$data  = $error->get_error_data();
		ob_start();
		wp_print_styles( 'tollgate' );
		wp_print_scripts( array( 'tollgate-widget', 'tollgate' ) );
		$page .= ob_get_clean();
		nocache_headers();
		// phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- escaped where it was put together
		wp_die( $page, esc_html( $title ), array( 'response' => (int) $data['status'] ) );
	}
}
