import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { Prisma } from '../../../prisma/client/client.ts'
import { createLog, type Log } from './log.ts'

/** What is logged, as text and as the fields of the first line. */
function logged(write: (log: Log) => void) {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  write(createLog('debug', sink))
  return { text: lines.join(''), fields: JSON.parse(lines[0] ?? '{}') as Record<string, unknown> }
}

test('of an error of Prisma only the type, the code and the columns are logged', () => {
  const err = new Prisma.PrismaClientKnownRequestError('Invalid invocation: c4n4ry', {
    code: 'P2002',
    clientVersion: '7',
    meta: { target: ['email'], modelName: 'User', driverAdapterError: new Error('c4n4ry') },
  })
  const { text, fields } = logged((log) => log.error({ err }, 'internal error'))
  expect(fields['err']).toEqual({ type: 'PrismaClientKnownRequestError', code: 'P2002', target: ['email'] })
  expect(text).not.toContain('c4n4ry')
  const invalid = new Prisma.PrismaClientValidationError('data: { name: c4n4ry }', { clientVersion: '7' })
  expect(logged((log) => log.error({ err: new Error('x', { cause: invalid }) }, 'x')).text).not.toContain('c4n4ry')
  expect(logged((log) => log.error(invalid)).text).not.toContain('c4n4ry')
  expect(logged((log) => log.error({ err: invalid })).text).not.toContain('c4n4ry')
})

test('the message of a JSON parser is not logged', () => {
  let err: unknown
  try {
    JSON.parse('c4n4ry')
  } catch (error) {
    err = error
  }
  expect(String(err)).toContain('c4n4ry')
  expect(logged((log) => log.error({ err }, 'x')).text).not.toContain('c4n4ry')
})

test('the stack has no head, even if the message looks like a frame', () => {
  const { fields } = logged((log) => log.error({ err: new Error('one\n    at two (b:1:1)') }, 'x'))
  expect((fields['err'] as { stack: string }).stack).not.toContain('two')
  expect((fields['err'] as { stack: string }).stack).toMatch(/^ {4}at .*log\.test\.ts/)
})

test('every field and text is cut at 1,000 characters', () => {
  const long = 'x'.repeat(50_000)
  const err = new Error(long, { cause: new Error(long) })
  const { text, fields } = logged((log) => log.error({ err, [long]: long, deep: { list: [long, { long }] } }, long))
  expect(text.length).toBeLessThan(12_000)
  expect(fields['deep']).toEqual({ list: [`${'x'.repeat(1000)}…`, { long: `${'x'.repeat(1000)}…` }] })
})
