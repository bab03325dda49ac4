import { appendFileSync, chmodSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { TollgateError } from './errors.ts'
import type { Manage } from './manage.ts'
import { missing, planSteps, type Step } from './plan.ts'
import { exportState, readRemote } from './state.ts'
import { FileError, parseState, printState, type State } from './stateFile.ts'

export type Io = { out: (text: string) => void; err: (text: string) => void }
export type ApplyOptions = { plan?: boolean | undefined; prune?: boolean | undefined; secrets?: string | undefined }

/** How often all differences are removed and looked for again, because others remove or change the same. */
const ROUNDS = 3
const OVERLAP_MAX = 30 * 86_400

/** `tollgate export`. */
export async function exportCommand(manage: Manage, { out, err }: Io): Promise<number> {
  const { state, notes } = await exportState(manage)
  for (const note of notes) err(`${note}\n`)
  out(printState(state))
  return 0
}

const listed = (steps: readonly Step[]) =>
  steps.flatMap(({ mark, lines }) => lines.map((line) => `${mark} ${line}\n`)).join('')

function counted(steps: readonly Step[], [add, change, remove]: readonly [string, string, string]): string {
  const count = (mark: string) =>
    steps.filter((step) => step.mark === mark).reduce((sum, { lines }) => sum + lines.length, 0)
  return `${count('+')} ${add}, ${count('~')} ${change}, ${count('-')} ${remove}.\n`
}

/** `tollgate apply FILE`. Returns the exit code. */
export async function applyCommand(manage: Manage, file: string, options: ApplyOptions, io: Io): Promise<number> {
  let state: State
  try {
    state = parseState(readFileSync(file, 'utf8'), basename(file))
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    io.err(`${error.message}\n`)
    return 1
  }
  const kept = keepSecrets(options.secrets)
  state = await ownPart(manage, state, io)
  const done: Step[] = []
  /** The steps that found others to have made, changed or removed the same. They are not among the differences any more. */
  const conflicts = new Set<string>()
  for (let rounds = 0; ; ) {
    const steps = planSteps(manage, state, await readRemote(manage, state), kept.add)
    const left = steps.filter(({ mark }) => options.prune || mark !== '-')
    if (rounds + conflicts.size === 0) printPlan(left, missing(steps, left), io)
    if (options.plan) return left.length > 0 ? 2 : 0
    if (left.length === 0) break
    const failure = rounds < ROUNDS ? await runSteps(left, done) : new Error('The service still differs from the file.')
    const [failed, ...rest] = left
    if (failure === undefined || !failed) {
      rounds += 1
      continue
    }
    const line = listed([failed])
    const isConflict = failure instanceof TollgateError && (failure.status === 409 || failure.status === 404)
    if (isConflict && !conflicts.has(line)) {
      conflicts.add(line)
      continue
    }
    io.err(`\nThis failed:\n${line}  ${failure.message}\n`)
    io.err(`\nDone before it:\n${listed(done) || 'nothing\n'}\nNot done:\n${listed(rest) || 'nothing else\n'}`)
    kept.report(io)
    return 1
  }
  if (done.length > 0) io.out(`\nDone: ${counted(done, ['added', 'changed', 'removed'])}`)
  kept.report(io)
  return 0
}

function printPlan(steps: readonly Step[], pruned: readonly Step[], { out }: Io): void {
  out(
    steps.length > 0
      ? `${listed(steps)}\nPlan: ${counted(steps, ['to add', 'to change', 'to remove'])}`
      : 'No changes.\n',
  )
  if (pruned.length > 0) out(`\n--prune would also remove:\n${listed(pruned)}`)
}

/** Runs the steps and moves those that succeed from `left` to `done`. Returns why one failed. */
async function runSteps(left: Step[], done: Step[]): Promise<Error | undefined> {
  for (let step = left[0]; step; step = left[0]) {
    try {
      await step.run()
    } catch (error) {
      if (error instanceof TollgateError) return error
      throw error
    }
    done.push(step)
    left.shift()
  }
  return undefined
}

/** The part of the file that a key for some sites can see. The others answer as if they did not exist, so they would be created. */
async function ownPart(manage: Manage, { sites, ...rest }: State, io: Io): Promise<State> {
  const who = await manage.get<{ sites: string[] | null }>('/whoami')
  if (who.sites === null) return { ...(sites && { sites }), ...rest }
  const own = await readRemote(manage, { sites: {} })
  const names = Object.keys(sites ?? {})
  const skipped = [...names.filter((slug) => !own.sites.has(slug)).map((slug) => `site ${slug}`), ...Object.keys(rest)]
  if (skipped.length > 0) io.err(`This key is for some sites only. Skipped: ${skipped.join(', ')}.\n`)
  return sites ? { sites: Object.fromEntries(Object.entries(sites).filter(([slug]) => own.sites.has(slug))) } : {}
}

/** Appends secrets to the file, which only its owner can read; without one they are discarded. */
function keepSecrets(file: string | undefined) {
  if (file !== undefined) {
    appendFileSync(file, '', { mode: 0o600 })
    chmodSync(file, 0o600)
  }
  const owners: string[] = []
  return {
    add: (owner: string, secret: string) => {
      owners.push(owner)
      if (file !== undefined) appendFileSync(file, `${owner}: ${secret}\n`)
    },
    report: ({ err }: Io) => {
      if (owners.length === 0) return
      const created = [...new Set(owners)]
      err(
        file === undefined
          ? `\nThe first secrets were not kept: ${created.join(', ')}. Make one with: tollgate rotate SLUG --overlap 0 (of a webhook: in the console)\n`
          : `\nThe first secrets are in ${file}: ${created.join(', ')}.\n`,
      )
    },
  }
}

/**
 * `tollgate rotate SLUG`: prints the new secret and nothing else. `overlap`: for how many seconds the former one still works.
 * `idempotencyKey`: a repetition with it prints the same secret.
 */
export async function rotateCommand(
  manage: Manage,
  slug: string,
  { overlap, idempotencyKey }: { overlap?: string | undefined; idempotencyKey?: string | undefined },
  { out }: Io,
): Promise<number> {
  if (overlap === undefined || !/^\d{1,7}$/.test(overlap) || Number(overlap) > OVERLAP_MAX)
    throw new TypeError(
      `--overlap has to be a number of seconds from 0 to ${OVERLAP_MAX} (30 days): how long the former secret still works.`,
    )
  const { sites } = await readRemote(manage, { sites: {} })
  const site = sites.get(slug)
  if (!site)
    throw new Error(
      `There is no site with the slug ${slug}, or the key is not for it. The sites are: ${[...sites.keys()].join(', ')}.`,
    )
  const path = `/sites/${site.id}/secrets/rotate`
  const { secret } = await manage.send<{ secret: string }>('POST', path, { overlap: Number(overlap) }, idempotencyKey)
  out(`${secret}\n`)
  return 0
}
