import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'

/** A part of a page that is folded at first. `open`: it is open whatever the person chose, for example because of an error in it. */
export function Disclosure({ title, open = false, children }: { title: string; open?: boolean; children: ReactNode }) {
  const [opened, setOpened] = useState(false)
  return (
    <details
      open={opened || open}
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
      className="rounded-panel border border-line bg-surface"
    >
      <summary className="flex cursor-pointer items-center gap-2 rounded-panel p-4 text-14 font-semibold">
        <ChevronRight size={14} aria-hidden className="transition-transform in-[details[open]>summary]:rotate-90" />
        {title}
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 p-4 pt-0">{children}</div>
    </details>
  )
}
