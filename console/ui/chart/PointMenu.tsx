import { Menu as Base } from '@base-ui/react/menu'
import type { ComponentProps } from 'react'
import { POPUP, POPUP_ITEM } from '../overlay/popup.ts'

/** `to`: the page that the item opens. */
export type PointItem = { label: string; to?: string; run: () => void }

/** The menu of a step of a chart, at the pointer or at the step's button. */
export function PointMenu({
  title,
  items,
  anchor,
  onClose,
}: {
  title: string
  items: readonly PointItem[]
  anchor: NonNullable<ComponentProps<typeof Base.Positioner>['anchor']> & (Element | object)
  onClose: () => void
}) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} align="start" sideOffset={4} className="z-50">
          <Base.Popup
            className={`${POPUP} min-w-48`}
            {...(anchor instanceof HTMLElement && { finalFocus: { current: anchor } })}
          >
            <Base.Group>
              <Base.GroupLabel className="px-2.5 py-1.5 text-12 text-ink-2">{title}</Base.GroupLabel>
              {items.map(({ label, to, run }) => (
                <Base.Item key={label} aria-label={label} onClick={run} className={POPUP_ITEM}>
                  <span className="grow">{label}</span>
                  {to !== undefined && <span className="pl-4 text-ink-2">{to}</span>}
                </Base.Item>
              ))}
            </Base.Group>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
