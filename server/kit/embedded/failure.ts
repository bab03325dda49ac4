/** Why the embedded PostgreSQL cannot be used, in words that say what to do. */
export class EmbeddedError extends Error {}
