/** Plain facts only. Secrets, tokens, nonces and sessions are never logged, because readers of logs must not be able to use them. */
export type Facts = Readonly<Record<string, string | number | undefined>>

export type Log = (event: string, facts: Facts) => void

/** One JSON line per event on stderr. */
export const logToStderr: Log = (event, facts) => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...facts })}\n`)
}

/**
 * What may be said about an error. Its message is left out on purpose: those of PostgreSQL and of fetch quote values.
 * What remains, the error's name and code and the place in our code, is enough to find it.
 */
export function describeError(error: unknown): Facts {
  if (!(error instanceof Error)) return { error: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const cause = error.cause instanceof Error ? describeError(error.cause) : {}
  const at = error.stack
    ?.split('\n')
    .find((line) => /^\s+at /.test(line))
    ?.trim()
  return { error: error.name, code: code ?? cause.code, at }
}
