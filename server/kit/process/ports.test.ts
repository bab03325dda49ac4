import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from './freePort.ts'
import { explainPort, tryPorts } from './ports.mjs'

const HOST = '127.0.0.1'
const other = createServer()
let port: number
beforeAll(async () => {
  port = await freePort()
  await new Promise<void>((resolve) => other.listen(port, HOST, resolve))
})
afterAll(() => void other.close())

/** What is said about a port that another program uses. */
async function explained(ports: { port: number; shopPort?: number }, settings: string | undefined) {
  const error: unknown = await tryPorts({ host: HOST, ...ports }).catch((reason: unknown) => reason)
  return explainPort(error as NodeJS.ErrnoException, { shopPort: ports.shopPort, settings })
}

test('a port that is in use is named with the command for another one', async () => {
  const inUse = `Port ${port} is in use by another program. Stop that program, or`
  expect(await explained({ port }, 'DATA_DIR=/srv/t ')).toBe(
    `${inUse} choose another port: DATA_DIR=/srv/t PORT=3010 npm start`,
  )
  const shop = { port: await freePort(), shopPort: port }
  expect(await explained(shop, '')).toBe(`${inUse} choose another port: SHOP_PORT=3011 npm start`)
})

test('and without a command if it would need secrets', async () => {
  expect(await explained({ port }, undefined)).toBe(
    `Port ${port} is in use by another program. Stop that program, or set another PORT.`,
  )
})
