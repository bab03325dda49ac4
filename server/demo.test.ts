import { expect, test, vi } from 'vitest'
import { createBrowser } from '../test/support/browser.ts'
import { testApp } from '../test/support/testApp.ts'
import { ensurePerson } from './accounts/sessions/person.ts'
import { withPasswords } from './demo.ts'

const app = testApp()

test('passwords of the demo are hashed one after the other, so that none waits for its turn', async () => {
  let now = 0
  const counts: number[] = []
  const { bounds } = app.ctx
  const [take, giveBack] = [bounds.takeSlot.bind(bounds), bounds.giveSlotBack.bind(bounds)]
  vi.spyOn(bounds, 'takeSlot').mockImplementation((...slot) => {
    counts.push(++now)
    return take(...slot)
  })
  vi.spyOn(bounds, 'giveSlotBack').mockImplementation((...slot) => {
    now -= 1
    giveBack(...slot)
  })
  const emails = [1, 2, 3, 4].map((n) => `demo-${n}@people.example`)
  const made = await Promise.all(emails.map((email) => ensurePerson(app.ctx, { email })))
  const people = await withPasswords(
    app.ctx,
    made.map((person) => ({ ...person, name: 'Ada', role: 'owner' })),
    [],
    new AbortController().signal,
  )
  expect(counts).toEqual([1, 1, 1, 1])
  for (const { email, password } of people) expect((await createBrowser(app).signIn(email, password)).status).toBe(200)
})

test('a start that is to end hashes no other password', async () => {
  const ending = new AbortController()
  const { bounds } = app.ctx
  const take = vi.spyOn(bounds, 'takeSlot').mockClear()
  const end = bounds.giveSlotBack.bind(bounds)
  vi.spyOn(bounds, 'giveSlotBack').mockImplementation((...slot) => {
    ending.abort(new Error('stopped'))
    end(...slot)
  })
  const made = await Promise.all([5, 6].map((n) => ensurePerson(app.ctx, { email: `demo-${n}@people.example` })))
  const people = made.map((person) => ({ ...person, name: 'Ada', role: 'owner' as const }))
  await expect(withPasswords(app.ctx, people, [], ending.signal)).rejects.toThrow('stopped')
  expect(take).toHaveBeenCalledTimes(1)
})
