/**
 * Whether a database error is transient and not about the statement: the server is unavailable, starting, full, failing
 * over, or too slow. The same statement may succeed a moment later, and may even have committed.
 */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, routine } = error as Error & { code?: unknown; routine?: unknown }
  if (typeof code === 'string' && routine !== undefined) {
    // 08 connection, 53 resources (disk full too), 57 intervention (cancelled, shutdown), 55P03 lock, 25006 read-only
    // standby
    return /^(08|53|57)/.test(code) || code === '55P03' || code === '25006'
  }
  // not from the server, but from the socket or the driver (its timeouts have no code)
  return /^E[A-Z]+$/.test(String(code)) || /timeout|terminated|Connection|connect/i.test(error.message)
}

/** Whether two transactions conflicted (serialization failure, deadlock): nothing was written, and a retry helps. */
export function isConflict(error: unknown): boolean {
  return error instanceof Error && String((error as Error & { code?: unknown }).code).startsWith('40')
}

/** Whether a write of Prisma's failed because a unique value is taken. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof Error && (error as Error & { code?: unknown }).code === 'P2002'
