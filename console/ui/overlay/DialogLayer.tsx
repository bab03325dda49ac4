import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { FLOATING } from './popup.ts'

export type LayerProps = {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  /** False: only a button inside it closes the dialog. */
  closable?: boolean
  /** What gets the focus when it has closed; by default what had it before. */
  finalFocus?: (() => HTMLElement | null) | undefined
  children: ReactNode
  /** Classes: where it is shown. */
  place: string
}

const BACKDROP =
  'fixed inset-0 z-40 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0'

/** A modal layer with title, content and a button that closes it. */
export function DialogLayer({
  open,
  onClose,
  title,
  description,
  closable = true,
  finalFocus,
  children,
  place,
}: LayerProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={BACKDROP} />
        {/* ignores clicks while it closes: a double click would submit twice */}
        <Base.Popup
          finalFocus={finalFocus}
          className={`fixed z-40 flex flex-col overflow-hidden transition-[opacity,translate] data-ending-style:pointer-events-none ${FLOATING} ${place}`}
        >
          <header className={`px-5 pt-4 pb-3 ${closable ? 'pr-14' : ''}`}>
            <Base.Title className="text-16 font-semibold">{title}</Base.Title>
            {description !== undefined && (
              <Base.Description render={<div />} className="mt-1 text-13 text-ink-2">
                {description}
              </Base.Description>
            )}
          </header>
          {children}
          {/* last, so that the first field or Cancel gets the focus */}
          {closable && (
            <Base.Close
              aria-label="Close"
              className="absolute top-3 right-3 grid size-8 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink"
            >
              <X size={16} aria-hidden />
            </Base.Close>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
