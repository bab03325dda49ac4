import { afterAll, beforeAll, expect, test } from 'vitest'
import { CATALOGUE } from '../../kit/refusal.ts'
import { openTestApp, type TestApp } from '../../testing/app.ts'
import { explainRefusal } from './explain.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

test('every code is explained: what it is on the wire, why, what to do, and where that is written', () => {
  for (const code of Object.keys(CATALOGUE)) {
    const { status, error, cause, fix, docs } = explainRefusal(code, null)
    expect(CATALOGUE).toHaveProperty([error])
    expect(cause.length).toBeGreaterThan(10)
    expect(fix.length).toBeGreaterThan(5)
    expect(docs).toMatch(new RegExp(`^/docs/errors#${status}-[a-z-]+$`))
  }
  expect(explainRefusal('bad-field', 'hostname')).toMatchObject({ status: 422, error: 'bad-request' })
})

test('the page of the documentation that is named is there', async () => {
  const page = await (await fetch(`${app.url}/docs/errors`)).text()
  const sections = new Set(Object.keys(CATALOGUE).map((code) => explainRefusal(code, null).docs.split('#')[1]))
  for (const section of sections) expect(page).toContain(`id="${section}"`)
})
