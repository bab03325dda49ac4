import { afterAll, beforeAll } from 'vitest'
import { openTestApp, type TestApp } from './app.ts'
import { type MadeSite, makeSite } from './make.ts'

/** A server for all tests of a file, opened before the first and closed after the last. Its fields are set when tests run. */
export function testApp(...settings: Parameters<typeof openTestApp>): TestApp {
  const app = {} as TestApp
  let opened: TestApp | undefined
  beforeAll(async () => {
    opened = await openTestApp(...settings)
    Object.assign(app, opened)
  })
  afterAll(() => opened?.close())
  return app
}

/** A site for all tests of a file. */
export function testSite(app: TestApp, options?: Parameters<typeof makeSite>[1]): MadeSite {
  const site = {} as MadeSite
  beforeAll(async () => {
    Object.assign(site, await makeSite(app.ctx, options))
  })
  return site
}
