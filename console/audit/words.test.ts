import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ACTION_LABELS, codesOf, describeTarget, KINDS } from './words.ts'

const event = { target: '018f', targetName: null, before: null, after: null }

test('a target has its current name, and the part that the event is about', () => {
  expect(describeTarget({ ...event, targetName: 'Storefront', after: { hostname: 'www.example' } })).toEqual({
    name: 'Storefront',
    part: 'www.example',
  })
  expect(describeTarget({ ...event, targetName: 'Storefront', before: { last4: 'a1B2' } })).toEqual({
    name: 'Storefront',
    part: 'key …a1B2',
  })
})

test('a deleted target has the name in the event, or else its id', () => {
  expect(describeTarget({ ...event, before: { name: 'Old site' } })).toEqual({ name: 'Old site', part: undefined })
  expect(describeTarget(event)).toEqual({ name: '018f', part: undefined })
})

test('the part does not repeat the name', () => {
  expect(describeTarget({ ...event, targetName: 'New', before: { name: 'Old' }, after: { name: 'New' } })).toEqual({
    name: 'New',
    part: undefined,
  })
})

test('each action that the server audits has a label', () => {
  const code = readdirSync('server', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(`server/${path}`, 'utf8'))
    .join('\n')
  const actions = [...code.matchAll(/\baction: (.*)/g)].flatMap(([, value = '']) =>
    [...value.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, action = '']) => action),
  )
  expect(actions.length).toBeGreaterThan(40)
  expect(actions.filter((action) => ACTION_LABELS[action] === undefined)).toEqual([])
  // suspend.ts and its like put noun and verb together
  const isNamed = (action: string) => code.includes(`'${action}'`) || code.includes(`'${action.split('.')[1]}'`)
  expect(Object.keys(ACTION_LABELS).filter((action) => !isNamed(action))).toEqual([])
})

test('each action of a tenant is of a kind that its page offers; what staff do is of the kind Support', () => {
  const words = Object.keys(KINDS).flatMap((query) => /^action:(.*)/.exec(query)?.[1]?.split(',') ?? [])
  const others = Object.keys(ACTION_LABELS).filter((action) => !words.some((word) => action.includes(word)))
  expect(others.filter((action) => !/^(job|ledger|note|password|session|staff|view_as)\./.test(action))).toEqual([])
})

test('an action is found by its words, or by its code', () => {
  expect(codesOf('grant issued')).toBe('grant.issue')
  expect(codesOf('Units approved')).toBe('tenant.approve_units,units.approve')
  expect(codesOf('restored').split(',')).toEqual(['grant.restore', 'tenant.restore'])
  expect(codesOf('grant.issue')).toBe('grant.issue')
})
