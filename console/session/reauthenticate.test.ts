import { createTRPCClient, TRPCClientError } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { expect, test } from 'vitest'
import type { AppRouter } from '../../server/admin/index.ts'
import { onReauthenticate, reauthenticateLink, WITHOUT_DIALOG } from './reauthenticate.ts'

const REFUSALS = {
  'reauth-required': { code: 'FORBIDDEN', httpStatus: 403 },
  'sign-in-required': { code: 'UNAUTHORIZED', httpStatus: 401 },
} as const

/** A service that refuses the first calls like the real one, and then responds with the number of calls. `me`: who is signed in. */
function client(
  refusals: number,
  reason: keyof typeof REFUSALS = 'reauth-required',
  me: (calls: number) => object | null = () => null,
) {
  let calls = 0
  const refusal = {
    error: { code: -32_003, message: 'Sign in again.', data: { ...REFUSALS[reason], requestId: 'req_1', reason } },
  }
  return createTRPCClient<AppRouter>({
    links: [
      reauthenticateLink,
      () =>
        ({ op }) =>
          observable((observer) => {
            calls += 1
            if (calls <= refusals) observer.error(TRPCClientError.from(refusal))
            else {
              observer.next({ result: { data: op.path === 'session.me' ? me(calls) : { calls } } })
              observer.complete()
            }
          }),
    ],
  })
}

const leave = (refusals: number) => client(refusals).members.leave.mutate({ tenant: 'acme' })

test('a call that needs a recent sign-in is repeated after it', async () => {
  const unregister = onReauthenticate(async () => true)
  await expect(leave(1)).resolves.toEqual({ calls: 2 })
  unregister()
})

test('the call is repeated only once', async () => {
  const unregister = onReauthenticate(async () => true)
  await expect(leave(2)).rejects.toThrow('Sign in again.')
  unregister()
})

test('a cancelled sign-in rejects the call without repeating it', async () => {
  const unregister = onReauthenticate(async () => false)
  await expect(leave(1)).rejects.toThrow('Sign in again.')
  unregister()
})

test('before anyone is signed in, a refusal opens no dialog', async () => {
  const unregister = onReauthenticate(async () => true)
  await expect(client(0).session.me.query()).resolves.toBeNull()
  await expect(client(1, 'sign-in-required').members.leave.mutate({ tenant: 'acme' })).rejects.toThrow('Sign in again.')
  unregister()
})

test('two calls at the same time open one dialog', async () => {
  let dialogs = 0
  const unregister = onReauthenticate(async () => {
    dialogs += 1
    return true
  })
  await Promise.all([leave(1), leave(1)])
  expect(dialogs).toBe(1)
  unregister()
})

test('a call whose session has ended is repeated after signing in again', async () => {
  const asked: string[] = []
  const unregister = onReauthenticate(async (occasion) => asked.push(occasion) > 0)
  await client(0, 'sign-in-required', () => ({ user: {} })).session.me.query()
  await expect(client(1, 'sign-in-required').members.leave.mutate({ tenant: 'acme' })).resolves.toEqual({ calls: 2 })
  expect(asked).toEqual(['ended'])
  unregister()
})

test('a session that has ended waits for the person, and is an error if they cancel', async () => {
  const back = { user: {} }
  await client(0, 'sign-in-required', () => back).session.me.query()
  const unregister = onReauthenticate(async () => true)
  const ended = client(0, 'sign-in-required', (calls) => (calls === 1 ? null : back))
  await expect(ended.session.me.query()).resolves.toEqual(back)
  unregister()
  const cancel = onReauthenticate(async () => false)
  await expect(client(0).session.me.query()).rejects.toMatchObject({ data: { code: 'UNAUTHORIZED' } })
  // the dialog itself asks who is signed in
  await expect(client(0).session.me.query(undefined, { context: WITHOUT_DIALOG })).resolves.toBeNull()
  cancel()
})
