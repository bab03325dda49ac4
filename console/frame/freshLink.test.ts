import { createTRPCClient, TRPCClientError } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { expect, test } from 'vitest'
import type { AppRouter } from '../../server/admin/index.ts'
import { freshLink } from './freshLink.ts'
import { onReauthenticate } from './reauthenticate.ts'

/** A service that refuses the first calls as the real one does, and then answers how many it saw. */
function client(refusals: number) {
  let calls = 0
  const refusal = {
    error: {
      code: -32_003,
      message: 'reauth-required',
      data: { code: 'FORBIDDEN', httpStatus: 403, requestId: 'req_1' },
    },
  }
  return createTRPCClient<AppRouter>({
    links: [
      freshLink,
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

test('what takes a fresh sign-in is repeated once it is there', async () => {
  const withdraw = onReauthenticate(async () => true)
  await expect(leave(1)).resolves.toEqual({ calls: 2 })
  withdraw()
})

test('it is repeated once, not for ever', async () => {
  const withdraw = onReauthenticate(async () => true)
  await expect(leave(2)).rejects.toThrow('reauth-required')
  withdraw()
})

test('who calls the sign-in off gets the refusal, and nothing is sent again', async () => {
  const withdraw = onReauthenticate(async () => false)
  await expect(leave(1)).rejects.toThrow('reauth-required')
  withdraw()
})

test('two refusals at the same time ask one question', async () => {
  let questions = 0
  const withdraw = onReauthenticate(async () => {
    questions += 1
    return true
  })
  await Promise.all([leave(1), leave(1)])
  expect(questions).toBe(1)
  withdraw()
})
