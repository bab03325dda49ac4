import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { makePerson } from '../../test/support/browser.ts'
import { testApp } from '../../test/support/testApp.ts'

const app = testApp({ CONSOLE_CALLS_PER_SECOND: '1' })

/** A request of ten calls. */
const batch = (name: string, address: string, input?: () => object, headers: Record<string, string> = {}) => {
  const names = Array.from({ length: 10 }, () => name).join(',')
  const inputs = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [i, input?.()]))
  return fetch(`${app.url}/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`, {
    headers: { 'x-forwarded-for': address, ...headers },
  })
}

const random = { 'members.invitation': () => ({ id: randomUUID() }), 'system.overview': undefined }

test.each(['members.invitation', 'system.overview'] as const)(
  '%s is limited for the network of the client, a batch of ten as ten calls',
  async (name) => {
    const address = `192.0.2.${name.length}`
    const statuses = []
    for (let i = 0; i < 31; i++) statuses.push((await batch(name, address, random[name])).status)
    expect(statuses.slice(0, 30)).not.toContain(429)
    const refused = await batch(name, address, random[name])
    expect([statuses[30], refused.status]).toEqual([429, 429])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await batch(name, '192.0.2.200', random[name])).status).not.toBe(429)
  },
)

test('the state of the service is asked once for calls at the same time', async () => {
  const ask = vi.spyOn(app.ctx.prisma, '$queryRaw')
  await Promise.all(Array.from({ length: 5 }, (_, i) => batch('system.overview', `192.0.3.${i}`)))
  expect(ask.mock.calls.length).toBeLessThanOrEqual(1)
  ask.mockRestore()
})

test('calls of session.me count for the person', async () => {
  const person = await makePerson(app)
  const cookie = [...person.cookies].map((pair) => pair.join('=')).join('; ')
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => batch('session.me', '192.0.4.1', undefined, { cookie })),
  )
  expect(replies.map(({ status }) => status)).toContain(429)
})
