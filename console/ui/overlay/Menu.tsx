import { type ComponentProps, cloneElement, type ReactElement, Suspense } from 'react'
import { lazyPart } from './lazyPart.ts'
import type { ChoiceProps } from './MenuParts.tsx'

// Menus and their positioning are larger than most pages, so they load after the page.
const parts = () => import('./MenuParts.tsx')
const Loaded = lazyPart(async () => (await parts()).Menu)

type Props = ComponentProps<typeof Loaded> & { trigger: ReactElement<{ disabled?: boolean }> }

/** A menu that opens at `trigger`, a button, which is disabled until the menu has loaded. */
export function Menu(props: Props) {
  return (
    <Suspense fallback={cloneElement(props.trigger, { disabled: true })}>
      <Loaded {...props} />
    </Suspense>
  )
}

export const MenuItem = lazyPart(async () => (await parts()).MenuItem)
export const MenuLink = lazyPart(async () => (await parts()).MenuLink)
export const MenuGroup = lazyPart(async () => (await parts()).MenuGroup)
export const MenuSeparator = lazyPart(async () => (await parts()).MenuSeparator)
export const MenuChoice = lazyPart<ChoiceProps<string>>(async () => (await parts()).MenuChoice) as <
  Value extends string,
>(
  props: ChoiceProps<Value>,
) => ReactElement
