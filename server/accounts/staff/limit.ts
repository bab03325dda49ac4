import { AppError } from '../../kit/error.ts'
import type { StaffCtx } from '../access.ts'

/** Whether a change of so many units waits until a second lead approves it. */
export const needsSecondLead = ({ config }: Pick<StaffCtx, 'config'>, units: number): boolean =>
  Math.abs(units) > config.leadUnitsMax

/** Refuses a change of more units than support may make. Throws AppError. */
export function refuseLargeUnits({ level, config }: Pick<StaffCtx, 'level' | 'config'>, units: number): void {
  const most = config.supportUnitsMax
  if (level !== 'lead' && Math.abs(units) > most) throw new AppError('units-need-lead', { most })
}
