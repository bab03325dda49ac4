import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { FLOATING } from './popup.ts'

type Props = {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  /** False: only a button inside it closes the dialog. */
  closable?: boolean
  children: ReactNode
}

const BACKDROP =
  'fixed inset-0 z-40 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0'

/** A question or a short form in the middle of the page. Returns the focus to the previous element on close. */
export function Dialog(props: Props) {
  return (
    <Layer
      {...props}
      place="top-1/2 left-1/2 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-120 -translate-1/2 rounded-panel data-ending-style:opacity-0 data-starting-style:opacity-0"
    />
  )
}

/** A longer form or details, at one side of the page. Full width on narrow screens. */
export function Sheet({ side = 'right', ...props }: Props & { side?: keyof typeof SIDES }) {
  return (
    <Layer
      {...props}
      place={`inset-y-0 w-full data-ending-style:opacity-0 data-starting-style:opacity-0 ${SIDES[side]}`}
    />
  )
}

const SIDES = {
  left: 'left-0 max-w-72 data-ending-style:-translate-x-4 data-starting-style:-translate-x-4',
  right: 'right-0 max-w-120 data-ending-style:translate-x-4 data-starting-style:translate-x-4',
} as const

function Layer({ open, onClose, title, description, closable = true, children, place }: Props & { place: string }) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={BACKDROP} />
        {/* ignores clicks while it closes: a double click would submit twice */}
        <Base.Popup
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

/** The content, which scrolls. */
export function DialogBody({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-h-0 grow grid-cols-[minmax(0,1fr)] content-start gap-4 overflow-y-auto px-5 pt-1 pb-5">
      {children}
    </div>
  )
}

/** The buttons, Cancel first. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <footer className="flex flex-wrap justify-end gap-2 border-t border-line bg-sunken px-5 py-3">{children}</footer>
  )
}
