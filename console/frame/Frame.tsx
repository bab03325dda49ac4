import { ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { ThemeSwitch } from './ThemeSwitch.tsx'

/** What stands around every page: skip link, header, the page itself as `main`. */
export function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      <a
        href="#main"
        className="absolute top-2 left-2 z-10 -translate-y-16 rounded-control bg-surface px-3 py-2 font-medium focus:translate-y-0"
      >
        Skip to content
      </a>
      <header className="border-b border-line">
        <div className="mx-auto flex h-14 max-w-288 items-center justify-between gap-4 px-4 md:px-8">
          <a href="/" className="flex items-center gap-2 rounded-control font-semibold">
            <span className="grid size-7 place-items-center rounded-control bg-brand text-on-brand">
              <ShieldCheck size={16} aria-hidden />
            </span>
            Tollgate
          </a>
          <ThemeSwitch />
        </div>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto max-w-288 px-4 py-8 outline-none md:px-8 md:py-12">
        {children}
      </main>
    </>
  )
}
