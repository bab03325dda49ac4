import { stripVTControlCharacters } from 'node:util'

/** One statement about a merchant or a deployment, and how it is tested. */
export type Check<Kit> = {
  /** The heading of the report that it belongs to. */
  check: number
  /** What is done. */
  name: string
  /** The expected result. */
  expected?: string
  /** What has to be changed if it fails. */
  fix?: string
  /** Throws `Failed` if something else happens; may return a remark. */
  run(kit: Kit): Promise<string | void>
}

export type Result = Pick<Check<never>, 'check' | 'name' | 'expected' | 'fix'> & {
  /** `unclear`: the kit could not find out, for a reason that is not the subject's. */
  outcome: 'ok' | 'failed' | 'unclear' | 'skipped'
  /** What happened, or why it was skipped. */
  happened: string | undefined
}

/** Statements that belong to one heading. */
export const under = <Stated extends { check: number }>(
  check: Stated['check'],
  statements: readonly Omit<Stated, 'check'>[],
): Stated[] => statements.map((each) => ({ ...each, check }) as Stated)

/** Something else happened than was expected; the message describes it. */
export class Failed extends Error {}

/** There is nothing to check; the message says what to do. */
export class Unusable extends Error {}

export function expect(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Failed(otherwise)
}

/** Runs a check once. `mask` hides secrets in what is said about it. */
export async function runCheck<Kit>(one: Check<Kit>, kit: Kit, mask = (text: string): string => text): Promise<Result> {
  const { check, name, expected, fix } = one
  const about = { check, name, ...(expected !== undefined && { expected }), ...(fix !== undefined && { fix }) }
  try {
    return { ...about, outcome: 'ok', happened: (await one.run(kit)) ?? undefined }
  } catch (error) {
    const said = stripVTControlCharacters(error instanceof Error ? error.message : String(error)).trim()
    if (error instanceof Failed) return { ...about, outcome: 'failed', happened: mask(said) }
    // Playwright adds a log of many lines
    const [line = ''] = said.split('\n')
    return { ...about, outcome: 'unclear', happened: mask(`the kit could not go on: ${line}`) }
  }
}
