import type { Resource } from '../context.ts'

export type JobResult = 'success' | 'failure'

/** The runs of jobs on this node since its start. */
export class JobRuns {
  readonly #counts = new Map<string, Record<JobResult, number>>()

  /** Begins with 0, so that the first failure is an increase. */
  expect(tasks: readonly string[]): void {
    for (const task of tasks) this.#counts.set(task, { success: 0, failure: 0 })
  }

  count(task: string, result: JobResult): void {
    const counts = this.#counts.get(task)
    if (counts) counts[result] += 1
  }

  all(): { task: string; result: JobResult; n: number }[] {
    return [...this.#counts].flatMap(([task, { success, failure }]) => [
      { task, result: 'success' as const, n: success },
      { task, result: 'failure' as const, n: failure },
    ])
  }
}

export const JOB_RUNS: Resource<JobRuns> = { name: 'job runs', make: () => new JobRuns() }
