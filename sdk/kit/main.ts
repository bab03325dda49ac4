/**
 * The kit: `accept` drives a merchant's form through the six acceptance checks, `conformance` tests a deployment of the service
 * against the contract. Exit code 0: every check passed; 1: one failed; 2: there was nothing to check, or a check is unclear.
 */
import { Unusable } from './check.ts'

/** Each loads its own packages: a deployment that is tested for conformance has no browser. */
const COMMANDS: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  accept: async (args) => (await import('./acceptance.ts')).runAcceptance(args),
  conformance: async (args) => (await import('./conformance.ts')).runConformance(args),
}

const [command = '', ...args] = process.argv.slice(2)
try {
  const run = COMMANDS[command]
  if (!run) throw new Unusable(`Usage: main.ts ${Object.keys(COMMANDS).join('|')} [options]`)
  process.exitCode = await run(args)
} catch (error) {
  if (!(error instanceof Unusable)) throw error
  console.error(error.message)
  process.exitCode = 2
}
