import type { Settings } from '../adapter.ts'

/** The result of a redemption. `status` is 0 without an answer. */
export type Verdict = { passed: boolean; status: number; error: unknown }

type Fields = Record<string, unknown>
type Answer = { status: number; fields: Fields }

const TIMEOUT_MS = 5_000

/** The service as this merchant calls it. A call that gets no answer, or may be repeated at once, is repeated once. */
export function createClient({ tollgateUrl, sitekey, secret }: Settings, careless?: string) {
  async function send(address: string, body: string): Promise<Answer & { isAtOnce: boolean }> {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const reply = await fetch(address, { method: 'POST', headers, body, signal, redirect: 'manual' })
    const location = reply.headers.get('location')
    if (careless === 'follows-redirects' && location) return send(location, body)
    const isAtOnce = reply.headers.get('retry-after') === '0'
    return { status: reply.status, fields: parse(await reply.text()), isAtOnce }
  }

  async function call(path: string, fields: () => Fields, tries = 2): Promise<Answer> {
    const address = tollgateUrl + path + (careless === 'secret-in-address' ? `?secret=${secret}` : '')
    const answer = await send(address, JSON.stringify(fields())).catch(() => undefined)
    if (answer && !answer.isAtOnce) return answer
    return tries === 1 ? (answer ?? { status: 0, fields: {} }) : call(path, fields, tries - 1)
  }

  return {
    /**
     * Opens an intent; its id, or undefined if the answer does not match the request. The fields are evaluated for each
     * try.
     */
    async open(fieldsOf: () => { action: string; hostname: string } & Fields): Promise<string | undefined> {
      const { status, fields } = await call('/intents', fieldsOf)
      const { action, hostname } = fieldsOf()
      const isOwn =
        careless === 'takes-any-intent' ||
        (fields['sitekey'] === sitekey && fields['action'] === action && fields['hostname'] === hostname)
      const intent = careless === 'takes-any-intent' ? String(fields['intent_id']) : fields['intent_id']
      return status === 200 && isOwn && typeof intent === 'string' ? intent : undefined
    },
    /** Redeems a token. `parameters` are evaluated for each try. */
    async redeem(parameters: () => Fields): Promise<Verdict> {
      let asked: Fields = {}
      const { status, fields } = await call('/siteverify', () => (asked = parameters()))
      const isSame = ['intent_id', 'action', 'hostname'].every((name) => fields[name] === asked[name])
      const isPass =
        status === 200 &&
        fields['success'] === true &&
        fields['assessment'] === 'passed' &&
        typeof fields['decision_id'] === 'string' &&
        isSame
      const passed = isPass || (careless === 'takes-any-200' && status >= 200 && status < 300)
      return { passed, status, error: fields['error'] }
    },
  }
}

function parse(content: string): Fields {
  try {
    const value: unknown = JSON.parse(content)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
