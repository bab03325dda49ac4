import { type ComponentProps, cloneElement, lazy, type ReactElement, Suspense } from 'react'
import type * as parts from './MenuParts.tsx'
import { useEarly } from './useEarly.ts'

/*
 * Menus and what places them weigh more than most pages, and nobody opens one before the page is shown: they are loaded
 * after it. Until then the trigger stands where it will stand, and whoever presses it gets the menu once it is there.
 */

const load = () => import('./MenuParts.tsx')
const LoadedMenu = lazy(async () => ({ default: (await load()).Menu }))

type Trigger = ReactElement<
  Pick<ComponentProps<'button'>, 'onMouseDown' | 'onClick' | 'onKeyDown' | 'onFocus' | 'onBlur'>
>

/** What can be done, behind one button. `trigger` is that button. */
export function Menu({ trigger, ...props }: Omit<ComponentProps<typeof parts.Menu>, 'early'> & { trigger: Trigger }) {
  const { early, listeners } = useEarly()
  return (
    <Suspense fallback={cloneElement(trigger, listeners)}>
      <LoadedMenu {...props} trigger={trigger} early={early} />
    </Suspense>
  )
}

export const MenuItem = lazy(async () => ({ default: (await load()).MenuItem }))
export const MenuLink = lazy(async () => ({ default: (await load()).MenuLink }))
export const MenuGroup = lazy(async () => ({ default: (await load()).MenuGroup }))
export const MenuSeparator = lazy(async () => ({ default: (await load()).MenuSeparator }))
