import { createTRPCClient, TRPCClientError } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { expect, test } from 'vitest'
import type { AppRouter } from '../../server/admin/index.ts'
import { onReauthenticate, reauthenticateLink } from './reauthenticate.ts'

/** A service that refuses the first calls like the real one, and then responds with the number of calls. */
function client(refusals: number) {
  let calls = 0
  const refusal = {
    error: {
      code: -32_003,
      message: 'Sign in again.',
      data: { code: 'FORBIDDEN', httpStatus: 403, requestId: 'req_1', reason: 'reauth-required' },
    },
  }
  return createTRPCClient<AppRouter>({
    links: [
      reauthenticateLink,
      () => () =>
        observable((observer) => {
          calls += 1
          if (calls <= refusals) observer.error(TRPCClientError.from(refusal))
          else {
            observer.next({ result: { data: { calls } } })
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
