// A reporter of Vitest that writes what scripts/test.mjs counts to the file REPORT. Vitest's own JSON does not say why a hook
// failed.
import { writeFileSync } from 'node:fs'

const textOf = (errors) => errors.map(({ stack, message }) => stack ?? message ?? '').join('\n')

export default class Report {
  onTestRunEnd(modules, unhandled) {
    const tests = []
    const failures = unhandled.map((error) => ({ title: 'unhandled', reason: textOf([error]) }))
    let passed = 0
    for (const module of modules) {
      const titleOf = (name) => (name ? `${module.relativeModuleId} › ${name}` : module.relativeModuleId)
      for (const test of module.children.allTests()) {
        const { state, errors = [] } = test.result()
        const title = titleOf(test.fullName)
        tests.push({ title, ms: test.diagnostic()?.duration ?? 0 })
        if (state === 'passed') passed += 1
        if (state === 'failed') failures.push({ title, reason: textOf(errors) })
      }
      // of loading the file, and of hooks
      for (const suite of [module, ...module.children.allSuites()])
        if (suite.errors().length > 0) failures.push({ title: titleOf(suite.fullName), reason: textOf(suite.errors()) })
    }
    writeFileSync(process.env.REPORT, JSON.stringify({ passed, failed: failures.length, tests, failures }))
  }
}
