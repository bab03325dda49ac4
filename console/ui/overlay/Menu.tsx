import { type ComponentProps, cloneElement, lazy, type ReactElement, Suspense } from 'react'
import type * as parts from './MenuParts.tsx'
import { loadPart, useStandIn } from './standIn.ts'

/*
 * Menus and their positioning are larger than most pages, so they load after the page. Until then a placeholder shows the
 * trigger; if it is pressed, the menu opens as soon as it has loaded.
 */

const load = () => loadPart(() => import('./MenuParts.tsx'))
const LoadedMenu = lazy(async () => ({ default: (await load()).Menu }))

type Trigger = ReactElement<
  Pick<ComponentProps<'button'>, 'onMouseDown' | 'onClick' | 'onKeyDown' | 'onFocus' | 'onBlur'>
>

/** A menu that opens at `trigger`, a button. */
export function Menu({ trigger, ...props }: Omit<ComponentProps<typeof parts.Menu>, 'standIn'> & { trigger: Trigger }) {
  const { standIn, listeners } = useStandIn()
  return (
    <Suspense fallback={cloneElement(trigger, listeners)}>
      <LoadedMenu {...props} trigger={trigger} standIn={standIn} />
    </Suspense>
  )
}

export const MenuItem = lazy(async () => ({ default: (await load()).MenuItem }))
export const MenuLink = lazy(async () => ({ default: (await load()).MenuLink }))
export const MenuGroup = lazy(async () => ({ default: (await load()).MenuGroup }))
export const MenuSeparator = lazy(async () => ({ default: (await load()).MenuSeparator }))
