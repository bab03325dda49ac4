import { afterAll, beforeAll } from 'vitest'
import { openTestApp, type TestApp } from './app.ts'
import { type MadeSite, makeSite } from './make.ts'

/** Makes an object for all tests of a file, or of a `describe`. Its fields are set when tests run. */
export function setUp<Made extends object>(make: () => Promise<Made> | Made): Made {
  const made = {} as Made
  beforeAll(async () => void Object.assign(made, await make()))
  return made
}

/** A server for all tests of a file, opened before the first and closed after the last. */
export function testApp(...settings: Parameters<typeof openTestApp>): TestApp {
  let opened: TestApp | undefined
  const app = setUp(async () => (opened = await openTestApp(...settings)))
  afterAll(() => opened?.close())
  return app
}

/** A site for all tests of a file. */
export const testSite = (app: TestApp, options?: Parameters<typeof makeSite>[1]): MadeSite =>
  setUp(() => makeSite(app.ctx, options))
