/** For tests of your backend: a token without a browser. Import it as `@tollgate/node/testing`. */
import { createHash } from 'node:crypto'
import { fail } from './errors.ts'
import { membersOf, parseJson } from './json.ts'
import { factsOf, refuse } from './refuse.ts'
import { type Reply, readReply } from './reply.ts'
import { testKeys } from './testKeys.ts'
import { unreachable } from './unreachable.ts'
import { readBase } from './url.ts'

/** What is solved: an `Intent` as `createIntent` returned it, and where. */
export interface SolveRequest {
  /** Base address of the service. */
  url: string
  /** One of the test keys. */
  sitekey: string
  intentId: string
  /** The intent's: the page that is stood in for has this host. */
  hostname: string
}

const TIMEOUT_MS = 10_000
const TEST_SITES: ReadonlySet<string> = new Set(Object.values(testKeys).map(({ sitekey }) => sitekey))

/**
 * Does what the component does in a browser: requests the challenge of an intent, solves it, and resolves to the token,
 * which `verify` takes as `response`. For test keys only: throws a TypeError for other site keys. Rejects with a
 * TollgateError if the service refuses, as with `testKeys.fail`.
 */
export async function solve({ url, sitekey, intentId, hostname }: SolveRequest): Promise<string> {
  const base = readBase(url)
  if (base === undefined) throw new TypeError('Tollgate: `url` has to be the http(s) address of the service.')
  if (!TEST_SITES.has(sitekey)) throw new TypeError('Tollgate: solve() is for test keys only.')
  const intent = { sitekey, intent_id: intentId }
  const request = (path: string, fields: object) => ask(base + path, hostname, { ...intent, ...fields })
  const {
    kind,
    challenge,
    seed,
    count,
    target,
    response: exempt,
  } = await request('/challenge', {
    kinds: ['pow-sha256'],
  })
  if (kind === 'none') return String(exempt)
  const solution = work(Buffer.from(String(seed), 'hex'), Number(count), Number(target))
  const { response } = await request('/solve', { challenge, solution })
  return String(response)
}

/** For each index the first number whose hash is below the target, as 4 bytes each. */
function work(seed: Buffer, count: number, target: number): string {
  const message = Buffer.concat([seed, Buffer.alloc(8)])
  const solution = Buffer.alloc(count * 4)
  for (let index = 0; index < count; index++) {
    message.writeUInt32BE(index, seed.length)
    let nonce = -1
    do message.writeUInt32BE(++nonce, seed.length + 4)
    while (createHash('sha256').update(message).digest().readUInt32BE(0) >= target)
    solution.writeUInt32BE(nonce, index * 4)
  }
  return solution.toString('base64url')
}

async function ask(url: string, hostname: string, fields: object): Promise<Readonly<Record<string, unknown>>> {
  const reply = await post(url, hostname, fields).catch((error: unknown) => {
    throw unreachable(url, error)
  })
  const value = reply.body && parseJson(reply.body)?.value
  if (reply.status !== 200) throw refuse(reply, value)
  const answer = membersOf(value)
  if (!('challenge' in answer || 'response' in answer)) throw fail('unexpected-answer', factsOf(reply))
  return answer
}

const post = async (url: string, hostname: string, fields: object): Promise<Reply> =>
  await readReply(
    await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', origin: `https://${hostname}` },
      body: JSON.stringify(fields),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }),
    url,
  )
