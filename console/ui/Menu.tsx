import { type ComponentProps, lazy, Suspense } from 'react'
import type * as parts from './MenuParts.tsx'

/*
 * Menus and what places them weigh more than most pages, and nobody opens one before the page is shown: they are loaded
 * after it. Until then the trigger stands where it will stand.
 */

const load = () => import('./MenuParts.tsx')
const LoadedMenu = lazy(async () => ({ default: (await load()).Menu }))

/** What can be done, behind one button. `trigger` is that button. */
export function Menu(props: ComponentProps<typeof parts.Menu>) {
  return (
    <Suspense fallback={props.trigger}>
      <LoadedMenu {...props} />
    </Suspense>
  )
}

export const MenuItem = lazy(async () => ({ default: (await load()).MenuItem }))
export const MenuLink = lazy(async () => ({ default: (await load()).MenuLink }))
export const MenuGroup = lazy(async () => ({ default: (await load()).MenuGroup }))
export const MenuSeparator = lazy(async () => ({ default: (await load()).MenuSeparator }))
