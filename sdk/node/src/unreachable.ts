import { fail, type TollgateError } from './errors.ts'
import { type Cause, explainNothingSent } from './explain.ts'
import { hostAndPort } from './url.ts'

/** All tries of a call. `arrived`: the service may have received one of them, whatever happens to later ones. */
export type Tries = { arrived: boolean }

/** The error of a request to `url` that got no complete answer, by what `fetch` or the reading of its body threw. */
export function unreachable(url: string, error: unknown, tries: Tries = { arrived: false }): TollgateError {
  const cause = causeOf(error)
  const unsent = tries.arrived ? undefined : explainNothingSent(cause)
  tries.arrived = unsent === undefined
  const { says, passes = true } = unsent ?? {}
  return fail('unreachable', { retryable: passes }, `${hostAndPort(url)}, ${cause.code}`, says)
}

/** The system's code, such as ECONNREFUSED: its messages may contain more than should be logged. */
function causeOf(error: unknown): Cause {
  const isAbort = error instanceof Error && /^(?:Abort|Timeout)Error$/.test(error.name)
  const cause = memberOf(error, 'cause')
  // of several addresses of a host, each has an error of its own
  const [first] = [memberOf(cause, 'errors')].flat()
  const code = memberOf(cause, 'code')
  const isCode = typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)
  return {
    code: isAbort ? 'no answer in time' : isCode ? code : 'the connection failed',
    syscall: String(memberOf(cause, 'syscall') ?? memberOf(first, 'syscall')),
    message: String(memberOf(cause, 'message')),
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
