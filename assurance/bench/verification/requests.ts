import { newNonce } from '../../../test/support/client.ts'
import { solvePuzzles } from '../../../test/support/solver.ts'
import { post } from '../load/connection.ts'
import type { Site } from './bed.ts'

type Body = Record<string, unknown>

/** The first bytes of addresses that belong to no hosting provider, which would be one network. */
const FIRST = [6, 7, 10, 11, 21, 22, 25, 26, 28, 29, 30, 33, 53, 55, 56, 215]

/** Each visitor has a network of its own up to /24: otherwise they would wait in line for each other. */
const addressOf = (visitor: number) => `${FIRST[(visitor >> 16) & 15]}.${(visitor >> 8) & 255}.${visitor & 255}.7`

let visitors = 0

function call(path: string, site: Site, visitor: number, body: unknown): string {
  return post(path, body, {
    authorization: `Bearer ${site.secret}`,
    origin: 'https://shop.example',
    'x-forwarded-for': addressOf(visitor),
  })
}

const fresh = () => ({ action: 'checkout', nonce: newNonce(), hostname: 'shop.example' })

/** A request for the bare servers with the body of /intents. */
export const bareRequest = (): string => post('/intents', fresh())

/** A request of /intents, of a visitor of its own. */
export const intentRequest = (site: Site): string => call('/intents', site, visitors++, fresh())

/** The requests of verifications, spread over the sites in turn. Each step is made of the replies to the one before. */
export function verifications(sites: readonly Site[], count: number) {
  const first = visitors
  visitors += count
  const siteOf = (i: number) => sites[i % sites.length] as Site
  const of = (path: string, i: number, body: unknown) => call(path, siteOf(i), first + i, body)
  let intents: { sitekey: string; intent_id: unknown }[] = []
  return {
    intents: () => Array.from({ length: count }, (_, i) => of('/intents', i, fresh())),
    challenges(opened: readonly Body[]) {
      intents = opened.map(({ intent_id }, i) => ({ sitekey: siteOf(i).sitekey, intent_id }))
      return intents.map((intent, i) => of('/challenge', i, intent))
    },
    solutions: (challenges: readonly Body[]) =>
      challenges.map((challenge, i) =>
        of('/solve', i, {
          ...intents[i],
          challenge: challenge['challenge'],
          solution: solvePuzzles(challenge as never),
        }),
      ),
    redemptions: (tokens: readonly Body[]) =>
      tokens.map(({ response }, i) =>
        of('/siteverify', i, {
          response,
          intent_id: intents[i]?.intent_id,
          action: 'checkout',
          hostname: 'shop.example',
          idempotency_key: newNonce(),
        }),
      ),
  }
}
