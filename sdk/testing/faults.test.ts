import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fault, type Faults, openFaults } from './faults.ts'
import { listen } from './listen.ts'

let service: Awaited<ReturnType<typeof listen>>
let worked = 0
let faults: Faults

beforeAll(async () => {
  const work = async (request: IncomingMessage, response: ServerResponse) => {
    worked += 1
    response.end(JSON.stringify({ sent: await text(request) }))
  }
  service = await listen((request, response) => void work(request, response))
  faults = await openFaults(service.url)
})

afterAll(async () => {
  await faults.close()
  await service.close()
})

function ask(signal?: AbortSignal, url = faults.url): Promise<Response> {
  const headers = { authorization: 'Bearer x', 'content-type': 'application/json' }
  return fetch(`${url}/a`, { method: 'POST', headers, body: '"b"', redirect: 'manual', signal: signal ?? null })
}

/** The outcome of one request with the fault, and how often the service processed it. */
async function meet(fault: Fault, signal?: AbortSignal) {
  faults.plan([fault])
  const before = worked
  const said = await ask(signal).then(
    async (reply) => ({ status: reply.status, body: await reply.text().catch(() => 'cut off') }),
    () => 'no answer',
  )
  return { said, worked: worked - before }
}

const RIGHT = { status: 200, body: '{"sent":"\\"b\\""}' }

test.each([
  ['pass', { kind: 'pass' }, RIGHT],
  ['drop', { kind: 'drop' }, 'no answer'],
  ['delay', { kind: 'delay', ms: 1 }, RIGHT],
  ['drip', { kind: 'drip', ms: 0 }, RIGHT],
  ['cut', { kind: 'cut' }, { status: 200, body: 'cut off' }],
  ['garbage', { kind: 'garbage' }, 'no answer'],
  ['answer', { kind: 'answer', status: 503, body: 'x' }, { status: 503, body: 'x' }],
  ['redirect', { kind: 'redirect', status: 307 }, { status: 307, body: '' }],
  ['change', { kind: 'change', fields: { a: 1 }, drop: ['sent'] }, { status: 200, body: '{"a":1}' }],
] satisfies [string, Fault, unknown][])('%s applies after the service has done its work', async (_, fault, said) => {
  expect(await meet(fault)).toEqual({ said, worked: 1 })
})

test('a request that does not reach the service is not processed', async () => {
  expect(await meet({ kind: 'drop', reaches: false })).toEqual({ said: 'no answer', worked: 0 })
})

test('a request with hang gets no answer', async () => {
  faults.plan([{ kind: 'hang' }])
  const gone = new AbortController()
  const asking = ask(gone.signal)
  await expect.poll(() => faults.seen().here.length).toBe(1)
  gone.abort()
  await expect(asking).rejects.toThrow('aborted')
})

test('records requests that follow a redirection, with their secret', async () => {
  faults.plan([{ kind: 'redirect' }])
  const location = (await ask()).headers.get('location') ?? ''
  expect(location).toBe(`${faults.elsewhere}/a`)
  await fetch(location, { method: 'POST', headers: { authorization: 'Bearer x' }, body: '"b"' })
  expect(faults.seen().elsewhere).toEqual([{ path: '/a', authorization: 'Bearer x', body: '"b"' }])
})

test('as a process, it is controlled over HTTP and ends with its parent', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', 'sdk/testing/faults.ts', service.url], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { url, control } = JSON.parse(line) as Faults & { control: string }
  await fetch(control, { method: 'POST', body: JSON.stringify([{ kind: 'answer', status: 418, body: 'tea' }]) })
  expect((await ask(undefined, url)).status).toBe(418)
  expect((await ask(undefined, url)).status).toBe(200)
  const seen = { path: '/a', authorization: 'Bearer x', body: '"b"' }
  expect(await (await fetch(control)).json()).toEqual({ here: [seen, seen], elsewhere: [] })
  child.stdin.end()
  expect(await ended).toEqual([0, null])
})
