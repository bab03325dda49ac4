import { TollgateError } from '@tollgate/node'
import type { Counter } from './checkout.ts'
import { asRefusal, logRefusal } from './refusals.ts'

/** One use, within a quarter of an hour: "next time" and no more. Constants, because a repetition has to ask the same. */
const TERMS = { ttl: 900, uses: 1 }

type Sale = { readonly attempt: string; readonly session: string; readonly decisionId: string }

/**
 * Takes the exemption of a decision, so that the session's next form skips the check. Clicked twice, or again after an
 * answer that was lost, it is one grant: the request is the same, and Tollgate answers it with the same grant.
 */
export async function takeExemption(counter: Counter, sale: Sale): Promise<TollgateError | undefined> {
  const { attempt, session, decisionId } = sale
  const { kind } = await counter.exemptions.standing(attempt, session)
  // this shop skips one check and asks for the next one: it does not renew
  if (kind === 'ready' || kind === 'over' || kind === 'skipped') return undefined
  await counter.exemptions.request(attempt, session)
  const grant = await counter.tollgate.createGrant({ decisionId, session, ...TERMS }).catch(asRefusal)
  if (grant instanceof TollgateError) {
    logRefusal(counter.log, grant, { attempt, action: 'grant' })
    return grant
  }
  await counter.exemptions.keep(attempt, grant)
  return undefined
}

/**
 * Ends every exemption of the session, as a shop does at log-out: here first, so that none is used any more even if
 * Tollgate cannot be reached, then there. Returns how many Tollgate revoked.
 */
export async function forgetDevice(counter: Counter, session: string): Promise<number | TollgateError> {
  await counter.exemptions.forgetAll(session)
  const answer = await counter.tollgate.revokeGrant({ session }).catch(asRefusal)
  if (!(answer instanceof TollgateError)) return answer.revoked
  logRefusal(counter.log, answer, { action: 'revoke' })
  return answer
}
