import { type ComponentProps, cloneElement, type ReactElement, Suspense } from 'react'
import { lazyPart } from './lazyPart.ts'
import type { ChoiceProps } from './MenuParts.tsx'

type Parts = typeof import('./MenuParts.tsx')

// Menus and their positioning are larger than most pages, so they load after the page.
let parts: Parts | undefined
const Loaded = lazyPart(async () => {
  parts = await import('./MenuParts.tsx')
  return parts.Menu
})

type Props = ComponentProps<typeof Loaded> & { trigger: ReactElement<{ disabled?: boolean }> }

/** A menu that opens at `trigger`, a button, which is disabled until the menu has loaded. */
export function Menu(props: Props) {
  return (
    <Suspense fallback={cloneElement(props.trigger, { disabled: true })}>
      <Loaded {...props} />
    </Suspense>
  )
}

// The entries of a menu have loaded with it. If each were lazy, the first menu that is opened would suspend: its button would be
// replaced by the disabled one, and lose the focus.

export const MenuItem = (props: ComponentProps<Parts['MenuItem']>) => parts && <parts.MenuItem {...props} />
export const MenuLink = (props: ComponentProps<Parts['MenuLink']>) => parts && <parts.MenuLink {...props} />
export const MenuGroup = (props: ComponentProps<Parts['MenuGroup']>) => parts && <parts.MenuGroup {...props} />
export const MenuSeparator = () => parts && <parts.MenuSeparator />
export const MenuChoice = <Value extends string>(props: ChoiceProps<Value>) => parts && <parts.MenuChoice {...props} />
