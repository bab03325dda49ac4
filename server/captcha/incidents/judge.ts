import type { IncidentKind } from '../../../prisma/client/enums.ts'

/** What a site's last ten minutes had. `refused` is an estimate: of a flood not every request is stored. */
export type TenMinutes = { completed: number; solved: number; raised: number; refused: number }

/** Smaller numbers in ten minutes are no incident. */
const RAISED = 20
const REFUSED = 40

/** How far a site is above what is usual: `spike` opens an incident, `lasting` keeps it open. */
export type Level = 'calm' | 'lasting' | 'spike'

/** The figure that is compared with the usual one: the share of raised challenges (0–1), or the number of refused requests. */
export const figureOf = (kind: IncidentKind, { solved, raised, refused }: TenMinutes): number =>
  kind === 'refusals' ? refused : solved === 0 ? 0 : raised / solved

/**
 * Compares ten minutes with what is usual for the site at this time of the day. A share can be at most a quarter above the
 * usual one where three quarters are raised anyway, and then nothing has changed. `lasting` needs half of what `spike` needs,
 * so that an incident does not end and begin again with every request.
 */
export function judge(kind: IncidentKind, counts: TenMinutes, usual: number): Level {
  const isAbove = kind === 'work' ? hasWork : hasRefusals
  return isAbove(counts, usual, 1) ? 'spike' : isAbove(counts, usual, 0.5) ? 'lasting' : 'calm'
}

const hasWork = (counts: TenMinutes, usual: number, part: number): boolean =>
  counts.raised >= part * RAISED && figureOf('work', counts) >= usual + part * 0.25

const hasRefusals = ({ refused, completed }: TenMinutes, usual: number, part: number): boolean =>
  refused >= part * REFUSED && refused >= part * 4 * usual && refused >= part * 0.1 * (refused + completed)
