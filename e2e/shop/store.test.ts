import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { type Database, openDatabase } from './database.ts'
import type { Action, Payload } from './fields.ts'
import { History } from './history.ts'
import { createTables, keepSessionKey } from './schema.ts'
import { type AttemptRef, Store } from './store.ts'

let home: TestDatabase
let database: Database
let store: Store
let history: History

const ignore = () => undefined
const order: Payload = {
  product: 'bell',
  quantity: '2',
  total: '5600',
  name: 'Ada',
  email: 'ada@example.com',
  address: '1 Road',
}

beforeAll(async () => {
  home = await openTestDatabase({ empty: true })
  database = openDatabase(home.url, ignore)
  await createTables(database)
  store = new Store(database)
  history = new History(database)
})

afterAll(async () => {
  await database.close()
  await home.close()
})

async function openAttempt(action: Action = 'checkout', session = randomUUID()): Promise<AttemptRef> {
  const ref = { id: randomUUID(), action, session }
  await store.createAttempt({
    ...ref,
    nonce: randomUUID(),
    idempotencyKey: randomUUID(),
    hostname: 'localhost',
    grantId: undefined,
  })
  await store.attachIntent(ref.id, randomUUID())
  return ref
}

function times<Value>(count: number, make: (index: number) => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)))
}

test('four shops opening the same new database at once share one set of tables and one session key', async () => {
  const fresh = await openTestDatabase({ empty: true })
  const shops = await times(4, async () => openDatabase(fresh.url, ignore))
  await Promise.all(shops.map(createTables))
  expect(new Set(await Promise.all(shops.map(keepSessionKey))).size).toBe(1)
  await Promise.all(shops.map((each) => each.close()))
  await fresh.close()
})

test('an intent is tied to an attempt once', async () => {
  const { id, ...ref } = await openAttempt()
  const before = await store.findAttempt({ id, ...ref })
  await expect(store.attachIntent(id, randomUUID())).rejects.toThrow('has an intent already')
  expect(await store.findAttempt({ id, ...ref })).toEqual(before)
})

test('an intent belongs to one attempt only', async () => {
  const first = await store.findAttempt(await openAttempt())
  const second = { id: randomUUID(), action: 'checkout', session: 's' } as const
  await store.createAttempt({
    ...second,
    nonce: randomUUID(),
    idempotencyKey: randomUUID(),
    hostname: 'localhost',
    grantId: undefined,
  })
  await expect(store.attachIntent(second.id, first?.intentId ?? '')).rejects.toThrow('unique')
})

test('ten submissions racing to be the first all get the first one’s values', async () => {
  const ref = await openAttempt()
  const frozen = await times(10, (index) =>
    store.freezeAttempt(ref, { ...order, name: `Ada ${index}` }, `tgr_${index}`),
  )
  const [first] = frozen
  expect(first?.token.slice('tgr_'.length)).toBe(first?.payload.name?.slice('Ada '.length))
  for (const each of frozen) expect(each).toEqual(first)
  expect((await store.findAttempt(ref))?.frozen).toEqual(first)
})

test('an attempt is out of reach of another session and of the other action', async () => {
  const ref = await openAttempt()
  for (const stranger of [
    { ...ref, session: randomUUID() },
    { ...ref, action: 'signup' as const },
  ]) {
    expect(await store.findAttempt(stranger)).toBeUndefined()
    expect(await store.freezeAttempt(stranger, order, 'tgr_stranger')).toBeUndefined()
  }
  expect((await store.findAttempt(ref))?.frozen).toBeUndefined()
})

test('an attempt placed ten times at once is one order', async () => {
  const ref = await openAttempt()
  await store.freezeAttempt(ref, order, 'tgr_1')
  const numbers = await times(10, () => store.placeOrder(ref.id, order, `dec_${ref.id}`))
  expect(new Set(numbers).size).toBe(1)
  const [line, ...more] = await history.listActivity(ref.session)
  expect(line).toMatchObject({ state: 'completed', orderNumber: numbers[0], decisionId: `dec_${ref.id}` })
  expect(more).toEqual([])
})

test('one decision never carries two orders', async () => {
  const [first, second] = await times(2, () => openAttempt())
  if (first === undefined || second === undefined) throw new Error('two attempts were opened')
  await store.placeOrder(first.id, order, `dec_${first.id}`)
  await expect(store.placeOrder(second.id, order, `dec_${first.id}`)).rejects.toThrow('another attempt')
  expect((await store.findAttempt(second))?.state).toBe('opened')
})

test('an attempt signed up ten times at once is one subscriber', async () => {
  const ref = await openAttempt('signup')
  await store.freezeAttempt(ref, { email: 'ada@example.com' }, 'tgr_1')
  await times(10, () => store.addSubscriber(ref.id, { email: 'ada@example.com' }, `dec_${ref.id}`))
  expect(await history.listActivity(ref.session)).toHaveLength(1)
  expect(await history.findReceipt(ref.id, ref.session)).toMatchObject({ action: 'signup', orderNumber: undefined })
})

test('a refusal that arrives late does not undo what went through', async () => {
  const ref = await openAttempt()
  await store.freezeAttempt(ref, order, 'tgr_1')
  await store.placeOrder(ref.id, order, `dec_${ref.id}`)
  await store.noteRefusal(ref.id, 'unavailable')
  expect(await history.listActivity(ref.session)).toMatchObject([{ state: 'completed', refusalCode: undefined }])
})

test('receipts and activity show a session its own only', async () => {
  const ref = await openAttempt()
  await store.freezeAttempt(ref, order, 'tgr_1')
  await store.placeOrder(ref.id, order, `dec_${ref.id}`)
  const stranger = randomUUID()
  expect(await history.findReceipt(ref.id, stranger)).toBeUndefined()
  expect(await history.listActivity(stranger)).toEqual([])
  expect(await history.findReceipt(ref.id, ref.session)).toMatchObject({ payload: order })
})
