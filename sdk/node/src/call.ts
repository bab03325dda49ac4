import type { Reader } from './answers.ts'
import { readArguments, type Shape } from './arguments.ts'
import { fail } from './errors.ts'
import { isOf, sitekey as sitekeys } from './grammars.ts'
import { membersOf, parseJson } from './json.ts'
import { COMMON } from './messages.ts'
import type { Settings } from './options.ts'
import { factsOf, refuse } from './refuse.ts'
import type { Reply } from './reply.ts'
import { retry } from './retry.ts'
import { AGENT, send } from './send.ts'
import type { CallOptions } from './types.ts'

/** A call of the API: path, request and reply. */
export type Endpoint<Asked, Value> = {
  readonly path: string
  readonly shape: Shape<Asked>
  readonly read: Reader<NoInfer<Asked>, Value>
}

/** Makes the call, with as many tries as the deadline allows, each with the same bytes. */
export async function call<Asked, Value>(
  { base, sitekey, secret, timeout, deadline, agent = AGENT }: Settings,
  { path, shape, read }: Endpoint<Asked, Value>,
  request: unknown,
  { signal }: CallOptions = {},
): Promise<Readonly<Value>> {
  const asked = readArguments(shape, request)
  const body = JSON.stringify(asked)
  const tries = { arrived: false }
  return await retry(
    async (left) => {
      const limits = { timeout: Math.min(timeout, left), signal }
      const reply = await send({ url: base + path, secret, body, tries, agent, ...limits })
      return judge(reply, sitekey, (answer) => read(answer, asked, reply.headers))
    },
    { deadline, signal },
  )
}

/** The value of an answer, or its error. */
function judge<Value>(
  reply: Reply,
  sitekey: string,
  read: (answer: Readonly<Record<string, unknown>>) => Value | undefined,
): Readonly<Value> {
  const parsed = reply.body && parseJson(reply.body)
  if (reply.status !== 200) throw refuse(reply, parsed?.value)
  const facts = factsOf(reply)
  if (!reply.body) throw fail('unexpected-answer', facts, 'longer than 64 KiB')
  // an answer that is not JSON comes from a proxy in between; the next attempt may reach the service
  if (!parsed) throw fail('unexpected-answer', { ...facts, retryable: true }, 'no JSON')
  const answer = membersOf(parsed.value)
  const value = read(answer)
  if (value === undefined) throw fail('unexpected-answer', facts, 'not for this call', foreign(answer, sitekey))
  return Object.freeze(value)
}

/** If the answer is for another site than that of the site key, the secret is that site's. */
const foreign = ({ sitekey: theirs }: Readonly<Record<string, unknown>>, ours: string): string | undefined =>
  typeof theirs === 'string' && isOf(sitekeys, theirs) && theirs !== ours
    ? COMMON.foreign.replace('<theirs>', theirs).replace('<ours>', ours)
    : undefined
