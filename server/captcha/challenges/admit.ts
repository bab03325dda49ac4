import type { VisitorCtx } from '../../accounts/access.ts'
import type { Resource } from '../../kit/context.ts'
import { FirstTimes } from '../../kit/limits/firstTimes.ts'
import type { FoundIntent } from '../intents/find.ts'
import { countAsked, fullLines, hashedNetworks, readSignals } from './difficulty/signals.ts'
import { type Difficulty, policyAt, workFor } from './difficulty/work.ts'
import { chooseKind, countChosen, fallbackLine } from './kinds/choose.ts'
import { waitInLine } from './networks/line.ts'

/** The intents that have a challenge. */
const ASKED: Resource<FirstTimes> = { name: 'intents with a challenge', make: () => new FirstTimes() }

/** What a visitor's challenge takes. `networks`: the keys of the client's networks, for when it is solved. */
export type Admitted = Difficulty & { networks: readonly string[] }

/**
 * Decides what an intent's visitor has to solve, once it is their turn, and counts a challenge as asked. Throws `rate-limited` with
 * the seconds until their place in line, and `bad-field` if the client can solve no kind that the site asks for.
 */
export async function admitVisit(
  ctx: VisitorCtx,
  { id, action, subject }: Pick<FoundIntent, 'id' | 'action' | 'subject'>,
  kinds: readonly string[],
  now: number,
): Promise<Admitted> {
  const networks = hashedNetworks(ctx)
  const policy = policyAt(ctx.site, action, now)
  const signals = readSignals(ctx, networks, subject, now)
  const choice = chooseKind(ctx, kinds, { networks, policy, signals, now })
  const difficulty = workFor(policy, signals, choice)
  if (!ctx.site.test) {
    const asked = ctx.resources.of(ASKED)
    if (signals.list !== 'allow')
      await waitInLine(ctx, id, [
        // an intent can be redeemed once, so it takes one place, however many challenges it gets
        ...(asked.has(id) ? [] : fullLines(ctx, networks, { work: difficulty.work, now })),
        ...(isTooDear(difficulty) ? [fallbackLine(ctx, now)] : []),
      ])
    countChosen(ctx, choice, { networks, now })
    if (asked.isFirst(id)) countAsked(ctx, networks, { subject, now })
  }
  return { ...difficulty, networks: networks.map(({ key }) => key) }
}

/** SHA-256 in place of another kind at a price that it cannot carry: then its part is bounded by a line. */
const isTooDear = ({ reasons }: Difficulty): boolean => reasons.fallback > 0 && reasons.bounded
