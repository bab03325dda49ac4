import { AppError } from '../../kit/error.ts'
import type { StaffCtx } from '../access.ts'

/** Refuses a change of more units than support may make; a lead may make any. Throws AppError. */
export function refuseLargeUnits({ level, config }: Pick<StaffCtx, 'level' | 'config'>, units: number): void {
  const most = config.supportUnitsMax
  if (level !== 'lead' && Math.abs(units) > most) throw new AppError('units-need-lead', { most })
}
