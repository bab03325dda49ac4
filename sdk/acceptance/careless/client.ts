import type { Settings } from '../adapter.ts'

/** The result of a redemption. `status` is 0 without an answer. */
export type Verdict = { passed: boolean; status: number; error: unknown }

type Fields = Record<string, unknown>
type Answer = { status: number; fields: Fields }

/** The service as this merchant calls it. A call whose answer is cut off is repeated once. */
export function createClient(
  { tollgateUrl, sitekey, secret }: Settings,
  { timeout, takesAny200 }: { timeout: number; takesAny200: boolean },
) {
  async function call(path: string, fields: () => Fields, tries = 2): Promise<Answer> {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(timeout)
    try {
      const body = JSON.stringify(fields())
      const reply = await fetch(tollgateUrl + path, { method: 'POST', headers, body, signal, redirect: 'error' })
      const content = await reply.text()
      return { status: reply.status, fields: parse(content) }
    } catch {
      if (signal.aborted || tries === 1) return { status: 0, fields: {} }
      return call(path, fields, tries - 1)
    }
  }

  return {
    /** Opens an intent; its id, or undefined if the answer does not match the request. */
    async open(asked: { action: string; hostname: string } & Fields): Promise<string | undefined> {
      const { status, fields } = await call('/intents', () => asked)
      const isOwn =
        fields['sitekey'] === sitekey && fields['action'] === asked.action && fields['hostname'] === asked.hostname
      const intent = fields['intent_id']
      return status === 200 && isOwn && typeof intent === 'string' ? intent : undefined
    },
    /** Redeems a token. `parameters` are evaluated for each try. */
    async redeem(parameters: () => Fields): Promise<Verdict> {
      let asked: Fields = {}
      const { status, fields } = await call('/siteverify', () => (asked = parameters()))
      const isSame = ['intent_id', 'action', 'hostname'].every((name) => fields[name] === asked[name])
      const passed =
        status === 200 &&
        (takesAny200 ||
          (fields['success'] === true &&
            fields['assessment'] === 'passed' &&
            typeof fields['decision_id'] === 'string' &&
            isSame))
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
