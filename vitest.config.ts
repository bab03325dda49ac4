import { defineConfig } from 'vitest/config'
import { findPython } from './scripts/python.mjs'
import { searchInJavascript } from './widget/build/solver.ts'
import { englishText } from './widget/build/text.ts'

export default defineConfig({
  plugins: [searchInJavascript(), englishText()],
  test: {
    include: ['{server,test,hashwx,widget,console,e2e,examples,sdk,scripts,deploy}/**/*.test.ts'],
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
    unstubGlobals: true,
    restoreMocks: true,
  },
})
