import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { findPython } from './scripts/python.mjs'
import { searchInJavascript } from './widget/build/solver.ts'
import { englishText } from './widget/build/text.ts'

/** Small files that take half a minute or more. Vitest begins with large files, so one worker would end with these alone. */
const LONGEST = [
  'sdk/acceptance/adapters/merchants.test.ts',
  'sdk/acceptance/run.test.ts',
  'test/model/contract.test.ts',
  'e2e/deploy/upgrade.test.ts',
  'e2e/ha/failover.test.ts',
  'e2e/browsers/firefox.test.ts',
  'e2e/browsers/webkit.test.ts',
  'server/admin/canary.test.ts',
  'e2e/deploy/proxies.test.ts',
  'server/captcha/redemption/crash.test.ts',
]

const gone = LONGEST.filter((file) => !existsSync(join(import.meta.dirname, file)))
if (gone.length > 0) throw new Error(`vitest.config.ts names tests that there are not: ${gone.join(', ')}`)

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`))
      return place === -1 ? LONGEST.length : place
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's method, not that of an array
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  plugins: [searchInJavascript(), englishText()],
  test: {
    include: ['{server,test,hashwx,widget,console,e2e,examples,sdk,scripts,bench}/**/*.test.ts'],
    // found once, not by each worker
    env: { PYTHON: findPython() ?? '' },
    globalSetup: ['test/support/cluster.ts'],
    // nothing waits for these: they are for a machine that is slow and busy
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // the machine's cores belong to PostgreSQL as well
    maxWorkers: 3,
    // loading the server takes longer than most files: a worker loads it once. So nothing may outlive a file.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    unstubGlobals: true,
    restoreMocks: true,
  },
})
