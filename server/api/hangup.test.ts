import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { makeSite } from '../../test/support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

/** Sends the request on many connections and resets each a moment later, from another thread, so that the two race. */
const HANG_UP = `
  const { connect } = require('node:net')
  const { workerData } = require('node:worker_threads')
  const once = (delay) => new Promise((resolve) => {
    const socket = connect({ port: workerData.port, host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    socket.write(workerData.request, () => {
      const until = process.hrtime.bigint() + BigInt(delay * 1000)
      while (process.hrtime.bigint() < until);
      socket.resetAndDestroy()
    })
  })
  void (async () => {
    for (let i = 0; i < 3000; i++) await once(i % 600)
  })()`

function hangUp(port: number, request: string): Promise<unknown> {
  const worker = new Worker(HANG_UP, { eval: true, workerData: { port, request } })
  return new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject))
}

test('a client that hangs up before its reply is no internal error', async () => {
  const site = await makeSite(app.ctx)
  const { body } = await app.client.intent(site)
  const fields = JSON.stringify({
    sitekey: site.sitekey,
    intent_id: body['intent_id'],
    challenge: 'AAAA',
    solution: 'AAAA',
  })
  const { host, port } = new URL(app.url)
  const request = `POST /solve HTTP/1.1\r\nHost: ${host}\r\nOrigin: https://shop.example\r\nContent-Type: application/json\r\nContent-Length: ${fields.length}\r\n\r\n${fields}`
  await Promise.all([hangUp(Number(port), request), hangUp(Number(port), request)])
  expect((await app.client.intent(site)).status).toBe(200)
  expect(app.logged.filter((line) => /"level":(50|"error")/.test(line) || line.includes('internal error'))).toEqual([])
})
