import { COMPONENT } from './component.ts'
import { ERRORS } from './errors.ts'
import { FIELDS } from './fields.ts'
import type { Mistake } from './mistake.ts'

/** The lines for the browser's console by code or field, which the component loads with its first error. */
export const pageTexts = (): Record<string, NonNullable<Mistake['page']>> =>
  Object.fromEntries(
    Object.entries<Mistake>({ ...COMPONENT, ...FIELDS, ...ERRORS }).flatMap(([topic, { page }]) =>
      page === undefined ? [] : [[topic, page]],
    ),
  )
