import { Search, X } from 'lucide-react'
import { Button } from '../ui/form/Button.tsx'
import { INPUT } from '../ui/form/Field.tsx'
import { IconButton } from '../ui/form/IconButton.tsx'

/** Common searches. */
const SHORTCUTS = {
  Members: 'action:member',
  Keys: 'action:secret',
  Hostnames: 'action:hostname',
  Sites: 'action:site',
  Tenant: 'action:tenant',
}

/** The search field, with the query from the URL. Enter submits it. */
export function QueryBox({ q, onAsk }: { q: string; onAsk: (q: string) => void }) {
  return (
    <search>
      <form
        className="flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          const typed = new FormData(event.currentTarget).get('q')
          onAsk(typeof typed === 'string' ? typed.trim() : '')
        }}
      >
        <div className="relative min-w-0 grow">
          <Search size={15} aria-hidden className="pointer-events-none absolute top-2.5 left-3 text-ink-2" />
          <input
            name="q"
            type="text"
            aria-label="Search the audit log"
            aria-describedby="audit-grammar"
            defaultValue={q}
            placeholder="actor:mara action:secret …"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className={`${INPUT} px-9`}
          />
          {q !== '' && (
            <span className="absolute top-0.5 right-0.5">
              <IconButton icon={X} label="Clear search" onClick={() => onAsk('')} />
            </span>
          )}
        </div>
        <Button type="submit" size="field">
          Search
        </Button>
      </form>
      <p id="audit-grammar" className="mt-1.5 text-12 text-ink-2">
        Filter with <code className="font-mono">actor:</code> <code className="font-mono">action:</code>{' '}
        <code className="font-mono">target:</code>. Other words are searched in the target and the changed values.
      </p>
      <div className="mt-2 flex flex-wrap gap-1.5">
        {Object.entries(SHORTCUTS).map(([label, query]) => (
          <button
            key={query}
            type="button"
            aria-pressed={q === query}
            onClick={() => onAsk(q === query ? '' : query)}
            className="h-6 rounded-full border border-line-strong px-2.5 text-12 text-ink-2 transition-colors hover:bg-sunken hover:text-ink aria-pressed:border-brand aria-pressed:text-brand-ink"
          >
            {label}
          </button>
        ))}
      </div>
    </search>
  )
}
