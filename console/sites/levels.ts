import { LEVELS, type SiteDifficulty } from '../../server/contract/sitePolicy.ts'
import { botPrice, dollars } from './attackPrice.ts'
import { waitOf } from './solveTimes.ts'

export type Level = keyof typeof LEVELS

/** The level of a difficulty; `custom` if it has none. */
export const levelOf = ({ baseWork, workMode }: Pick<SiteDifficulty, 'baseWork' | 'workMode'>): Level | 'custom' =>
  (Object.keys(LEVELS) as Level[]).find((level) => workMode === 'adaptive' && LEVELS[level].baseWork === baseWork) ??
  'custom'

/** What a difficulty costs a visitor, and a bot by the cheapest way. */
function costsOf(difficulty: Pick<SiteDifficulty, 'baseWork' | 'workMode' | 'challengeKind'>): string {
  const { any, withinBudget } = botPrice(difficulty)
  const price = withinBudget === null ? dollars(any) : `${dollars(withinBudget)} to ${dollars(any)}`
  return `Visitors wait ${waitOf(difficulty.baseWork)}. A million passes cost a bot ${price}, and more when raised.`
}

/** The levels with what each costs; `custom` only while it is the present one. */
export function levelOptions(draft: Pick<SiteDifficulty, 'baseWork' | 'workMode' | 'challengeKind'>) {
  const options = Object.entries(LEVELS).map(
    ([level, { label, baseWork }]): [string, { label: string; hint: string }] => [
      level,
      { label, hint: costsOf({ ...draft, baseWork, workMode: 'adaptive' }) },
    ],
  )
  if (levelOf(draft) === 'custom') options.push(['custom', { label: 'Custom', hint: 'As set under Advanced.' }])
  return Object.fromEntries(options) as Record<Level | 'custom', { label: string; hint: string }>
}
