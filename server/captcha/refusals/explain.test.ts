import { expect, test } from 'vitest'
import { testApp } from '../../../test/support/testApp.ts'
import { ENDPOINTS, PATHS } from '../../api/endpoints.ts'
import { ERRORS } from '../../contract/mistakes/errors.ts'
import { FIELDS } from '../../contract/mistakes/fields.ts'
import { explainRefusal } from './explain.ts'

const app = testApp()

test('explains every code: its form on the wire, cause, fix and documentation', () => {
  for (const code of Object.keys(ERRORS)) {
    const { status, error, cause, fix, docs } = explainRefusal(code, null)
    expect(ERRORS).toHaveProperty([error])
    expect(cause.length).toBeGreaterThan(10)
    expect(fix.length).toBeGreaterThan(5)
    expect(docs).toBe(`errors#${code === 'bad-field' ? 'fields' : code}`)
    expect(status).toBeGreaterThanOrEqual(400)
  }
  expect(explainRefusal('bad-field', 'hostname')).toMatchObject({ status: 422, error: 'bad-request' })
})

test('tells a merchant what the merchant can do about a bot’s guesses', () => {
  expect(explainRefusal('solution-invalid', null).fix).toMatch(/^Nothing to do/)
})

test('links only to headings that exist in the documentation', async () => {
  const page = await (await fetch(`${app.url}/docs/errors`)).text()
  const codes = Object.keys(ERRORS).map((code) => explainRefusal(code, null))
  const fields = Object.keys(FIELDS).map((field) => explainRefusal('bad-field', field))
  const sections = new Set([...codes, ...fields].map(({ docs }) => docs.split('#')[1]))
  expect(sections.size).toBe(Object.keys(ERRORS).length + Object.keys(FIELDS).length - 1)
  for (const section of sections) expect(page).toContain(` id="${section}"`)
})

test('explains every field of every endpoint, and unknown fields', () => {
  const known = new Set(PATHS.flatMap((path) => Object.keys(ENDPOINTS[path].request.shape)))
  expect(Object.keys(FIELDS).toSorted()).toEqual([...known, '*'].toSorted())
  expect(explainRefusal('bad-field', 'sesion')).toMatchObject({
    cause: FIELDS['*'].cause,
    docs: 'errors#fields',
  })
})
