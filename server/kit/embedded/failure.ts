/** The embedded PostgreSQL cannot be used. The message says what to do. */
export class EmbeddedError extends Error {}
