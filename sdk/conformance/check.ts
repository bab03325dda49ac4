import { Broken, type Deployment } from './call.ts'

/** A rule of the contract and its test, which throws `Broken` if the rule is violated. */
export type Check = { name: string; run: (it: Deployment) => Promise<void> }

/** `fault`: the reason for the failure in one line; undefined if it passed. */
export type Result = { name: string; fault: string | undefined }

/** Runs the checks in sequence; a failing one does not stop the others. */
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
