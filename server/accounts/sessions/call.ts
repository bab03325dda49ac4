import { AsyncLocalStorage } from 'node:async_hooks'
import { isPassing } from '../../kit/db/outage.ts'

/** What happens during a call of better-auth and does not show in its answer. */
type Call = {
  /** Why the database did not answer: better-auth turns it into refusals of its own, or passes over it. */
  outage: unknown
  /** The new password's hash, which was made before better-auth opens its transaction. */
  hashed: { password: string; hash: string } | undefined
  /** The id of the person whose address was confirmed: not if it had been before. */
  verified: string | undefined
  afterwards: (() => void)[]
}

const calls = new AsyncLocalStorage<Call>()

/**
 * Runs a call of better-auth. Throws the transient error of the database if there was one, whatever the answer says: otherwise
 * a sign-up would be refused as invalid, a session would count as ended, and a sign-out that deleted nothing would succeed.
 */
export async function callAuth<Out>(work: () => Promise<Out>): Promise<Out> {
  const call: Call = { outage: undefined, hashed: undefined, verified: undefined, afterwards: [] }
  const out = await calls.run(call, work).catch((error: unknown) => {
    throw call.outage ?? error
  })
  if (call.outage !== undefined) throw call.outage
  for (const effect of call.afterwards) effect()
  return out
}

/** Runs a statement of better-auth, and notes for its call that the database did not answer. */
export async function noteOutage<Out>(statement: () => Promise<Out>): Promise<Out> {
  try {
    return await statement()
  } catch (error) {
    const call = calls.getStore()
    if (call && isPassing(error)) call.outage ??= error
    throw error
  }
}

/** Runs `effect` after the current call of better-auth has succeeded, so also after its transaction; outside of one, immediately. */
export function afterCall(effect: () => void): void {
  const call = calls.getStore()
  if (call) call.afterwards.push(effect)
  else effect()
}

/** Keeps the hash of the new password for the current call. */
export function keepHash(password: string, hash: string): void {
  const call = calls.getStore()
  if (call) call.hashed = { password, hash }
}

/** The hash that was kept for the password in the current call. */
export function keptHash(password: string): string | undefined {
  const hashed = calls.getStore()?.hashed
  return hashed?.password === password ? hashed.hash : undefined
}

/** Notes whose address the current call confirmed. */
export function noteVerified(userId: string): void {
  const call = calls.getStore()
  if (call) call.verified = userId
}

export const verifiedInCall = (): string | undefined => calls.getStore()?.verified
