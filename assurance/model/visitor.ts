import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { solvePuzzles } from '../../test/support/solver.ts'
import { isExempt, judgeChallenge, judgeSolve } from './judge.ts'
import type { Challenge, Puzzle, Site, State } from './state.ts'
import type { World } from './world.ts'

/** Calls of a browser, each from a new address, and the expected answer. */

type Visit = { site: Site | undefined; intentId: string; origin: string | undefined }

const UNKNOWN_SITEKEY = `tg_site_${'0'.repeat(20)}`

const headersOf = (visit: Visit): Record<string, string> => ({
  'x-forwarded-for': `10.${[...randomBytes(3)].join('.')}`,
  ...(visit.origin === undefined ? {} : { origin: visit.origin }),
})
const bodyOf = (visit: Visit) => ({ sitekey: visit.site?.sitekey ?? UNKNOWN_SITEKEY, intent_id: visit.intentId })

export async function takeChallenge(world: World, state: State, visit: Visit): Promise<void> {
  const answer = await world.ask({ path: '/challenge', body: bodyOf(visit), headers: headersOf(visit) }, (at) =>
    judgeChallenge(state, visit, at),
  )
  if (answer.outcome !== 'ok') return
  const intent = state.intents.find((one) => one.id === visit.intentId)
  assert.ok(intent)
  const { kind, response, challenge, seed, count, target, expires_at } = answer.body
  if (isExempt(state, intent)) {
    assert.equal(answer.text, JSON.stringify({ kind: 'none', response, expires_at: intent.expiresAt }))
    state.tokens.push({ text: String(response), intent, solved: false })
    return
  }
  assert.equal(kind, 'pow-sha256')
  assert.equal(answer.text, JSON.stringify({ kind, challenge, seed, count: 32, target, expires_at }))
  assert.match(String(seed), /^[0-9a-f]{32}$/)
  const expiresAt = Number(expires_at)
  assert.ok(expiresAt <= intent.expiresAt && expiresAt >= Math.floor(Math.min(answer.sent + 60, intent.expiresAt)))
  state.challenges.push({
    text: String(challenge),
    intent,
    puzzle: { seed: String(seed), count: Number(count), target: Number(target) },
    expiresAt,
    round: intent.wrongSolutions,
  })
}

const solutions = new WeakMap<Puzzle, string>()

/** The right solution, computed once. */
function solutionOf(puzzle: Puzzle): string {
  let solution = solutions.get(puzzle)
  if (solution === undefined) solutions.set(puzzle, (solution = solvePuzzles(puzzle)))
  return solution
}

/** A well-formed solution that is wrong, except with a probability of 1 in 4 billion. */
const WRONG = Buffer.alloc(32 * 4).toString('base64url')

export async function solve(
  world: World,
  state: State,
  visit: Visit,
  challenge: Challenge | undefined,
  right: boolean,
): Promise<void> {
  const body = {
    ...bodyOf(visit),
    challenge: challenge?.text ?? 'AAAA',
    solution: challenge && right ? solutionOf(challenge.puzzle) : WRONG,
  }
  const intent = state.intents.find((one) => one.id === visit.intentId)
  const answer = await world.ask({ path: '/solve', body, headers: headersOf(visit) }, (at) =>
    judgeSolve(state, visit, challenge, right, at),
  )
  if (intent && answer.outcome === 'solution-invalid') intent.wrongSolutions += 1
  if (answer.outcome !== 'ok') return
  assert.ok(intent)
  const { response } = answer.body
  assert.equal(answer.text, JSON.stringify({ response, expires_at: intent.expiresAt }))
  state.tokens.push({ text: String(response), intent, solved: true })
}
