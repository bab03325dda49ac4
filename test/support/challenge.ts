import { type Challenge, openChallenge } from '../../server/captcha/challenges/sealed.ts'
import type { TestApp } from './app.ts'
import type { MadeSite } from './make.ts'
import type { Puzzles } from './solver.ts'

type Asked = { intentId: string; puzzle: Puzzles & { challenge: string }; challenge: Challenge }

/** A challenge for a new intent of the site: as the visitor gets it, and what the service sealed into it. */
export async function askChallenge(
  { client, ctx }: Pick<TestApp, 'client' | 'ctx'>,
  site: MadeSite,
  { intent = {}, ...visit }: { intent?: Record<string, unknown>; address?: string } = {},
): Promise<Asked> {
  const intentId = String((await client.intent(site, intent)).body['intent_id'])
  const { body } = await client.challenge(site, intentId, visit)
  const challenge = openChallenge(ctx.keyring, String(body['challenge']), { intentId, siteId: site.siteId })
  if (!challenge) throw new Error(`no challenge: ${JSON.stringify(body)}`)
  return { intentId, puzzle: body as Asked['puzzle'], challenge }
}
