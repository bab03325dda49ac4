import { type ReactNode, Suspense, useState } from 'react'
import type { LayerProps } from './DialogLayer.tsx'
import { lazyPart } from './lazyPart.ts'

type Props = Omit<LayerProps, 'place'>

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

// not needed before a dialog is opened, and a tenth of the first page
const Loaded = lazyPart(async () => (await import('./DialogLayer.tsx')).DialogLayer)

/** The layer, loaded when it is first opened. It stays, so that it fades when it closes. */
function Layer(props: LayerProps) {
  const [used, setUsed] = useState(props.open)
  if (props.open && !used) setUsed(true)
  if (!used) return null
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
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
