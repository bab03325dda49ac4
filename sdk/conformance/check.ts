import { Broken, type Deployment } from './call.ts'

/** One promise, and how it is put to the test; throws `Broken` if it is not kept. */
export type Check = { name: string; run: (it: Deployment) => Promise<void> }

/** `fault`: in one line why it failed; undefined if it passed. */
export type Result = { name: string; fault: string | undefined }

/** Runs the checks one after the other; what one of them finds broken does not keep the others from being run. */
export async function runChecks(checks: readonly Check[], it: Deployment): Promise<Result[]> {
  const results: Result[] = []
  for (const { name, run } of checks) {
    const fault = await run(it).then(
      () => undefined,
      (error: unknown) => (error instanceof Broken ? error.message : `no answer: ${String(error)}`),
    )
    results.push({ name, fault })
  }
  return results
}
