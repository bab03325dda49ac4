import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { openService, type Service } from '../../e2e/setup/service.ts'
import { failureCases } from './failures.ts'
import { formCases } from './forms.ts'
import { openShop, type Shop, type ShopOptions } from './shop.ts'
import { solvingCases } from './solving.ts'
import type { Stage } from './stage.ts'
import type { Browser } from './webdriver.ts'

/** Runs all cases in a browser. `missing`: programs that are not installed. In CI they must be. */
export function testBrowser(name: string, missing: string[], open: () => Promise<Browser>): void {
  const isRun = missing.length === 0 || process.env['CI'] !== undefined
  // said in the title, because a skipped test says nothing else
  const title = isRun ? '' : ` (skipped: ${missing.join(', ')} not installed, see .ci/run)`

  describe.runIf(isRun)(`the component in ${name}${title}`, () => {
    let service: Service
    let browser: Browser
    const shops: Shop[] = []
    beforeAll(async () => {
      if (missing.length > 0) throw new Error(`not installed: ${missing.join(', ')}; see .ci/run`)
      browser = await open()
      console.log(`the component runs in ${name} ${browser.version}`)
      service = await openService('warn')
    })
    afterEach(async () => {
      for (const shop of shops.splice(0)) await shop.close()
    })
    afterAll(async () => {
      await browser?.close()
      await service?.close()
    })

    async function shop(options: ShopOptions = {}): Promise<Shop> {
      const opened = await openShop(service, options)
      shops.push(opened)
      return opened
    }
    async function visit(options: ShopOptions = {}): Promise<Shop> {
      const opened = await shop(options)
      await browser.open(opened.url)
      return opened
    }
    const stage: Stage = { browser: () => browser, visit, shop }
    formCases(stage)
    solvingCases(stage)
    failureCases(stage)
  })
}
