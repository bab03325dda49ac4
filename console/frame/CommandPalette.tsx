import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { type LucideIcon, Search } from 'lucide-react'
import { useRef, useState } from 'react'
import { FLOATING } from '../ui/overlay/popup.ts'
import { searchable } from '../ui/text/format.ts'
import { KBD, singleKeys } from './shortcuts.ts'
import { takeTyped } from './typeAhead.ts'

export type Command = {
  id: string
  label: string
  /** A second search text, shown beside the label. */
  also?: string
  icon: LucideIcon
  /** The shortcut, `g d`. */
  keys?: string
  /** Found by the service for what was typed. */
  found?: true
  /** Shown only once something is typed. */
  deep?: true
  run: () => void
}

export type CommandGroup = { label: string; items: Command[] }

/** A searchable list of commands. Arrows and Enter choose, Escape closes. */
export function CommandPalette({
  groups,
  searching = false,
  onText,
  onClose,
}: {
  groups: CommandGroup[]
  /** The service has not answered yet for what is typed. */
  searching?: boolean
  /** Called with what is typed. */
  onText?: (text: string) => void
  onClose: () => void
}) {
  const list = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const change = (text: string) => {
    setText(text)
    onText?.(text)
  }
  const run = (command: Command) => {
    onClose()
    command.run()
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup
          aria-label="Search or jump to"
          className={`fixed top-[12vh] left-1/2 z-40 flex max-h-[70dvh] w-[calc(100vw-2rem)] max-w-140 -translate-x-1/2 flex-col overflow-hidden rounded-panel ${FLOATING}`}
        >
          <Autocomplete.Root
            open
            inline
            items={groups}
            autoHighlight="always"
            keepHighlight
            limit={MOST_SHOWN}
            filter={matches}
            itemToStringValue={({ label }: Command) => label}
            value={text}
            onValueChange={change}
          >
            <div className="flex items-center gap-2.5 border-b border-line px-4">
              <Search size={16} aria-hidden className="shrink-0 text-ink-2" />
              <Autocomplete.Input
                onFocus={() => {
                  const typed = takeTyped()
                  if (typed !== '') change(text + typed)
                }}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                  // the list's own index can be that of the results before
                  event.preventBaseUIHandler()
                  list.current?.querySelector<HTMLElement>('[data-highlighted]')?.click()
                }}
                aria-label="Search or jump to"
                placeholder="Name, host, id, reference, error code, address of a page"
                className="h-12 grow bg-transparent text-14 outline-none placeholder:text-ink-3"
              />
            </div>
            <Autocomplete.Empty className="text-13 text-ink-2">
              <div className="p-4">{searching ? 'Searching…' : 'No results.'}</div>
            </Autocomplete.Empty>
            <Autocomplete.List ref={list} className="min-h-0 overflow-y-auto scroll-py-2 px-2 not-empty:py-2">
              {({ label, items }: CommandGroup) => (
                <Autocomplete.Group key={label} items={items} className="not-last:mb-2">
                  <Autocomplete.GroupLabel className="px-2 py-1 text-12 text-ink-2">{label}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(command: Command) => (
                      <Autocomplete.Item
                        key={command.id}
                        value={command}
                        onClick={() => run(command)}
                        className="flex min-h-9 cursor-default items-center gap-2.5 rounded-control px-2 text-13 outline-none select-none data-highlighted:bg-sunken data-highlighted:outline-2 data-highlighted:-outline-offset-2 data-highlighted:outline-brand"
                      >
                        <command.icon size={15} aria-hidden className="shrink-0 text-ink-2" />
                        <span className="min-w-0 grow truncate">{command.label}</span>
                        {command.also !== undefined && (
                          <span className="truncate font-mono text-12 text-ink-2 max-sm:hidden">{command.also}</span>
                        )}
                        {command.keys !== undefined && singleKeys() && (
                          <kbd aria-hidden className={`${KBD} shrink-0 pointer-coarse:hidden`}>
                            {command.keys}
                          </kbd>
                        )}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const MOST_SHOWN = 60

/** Whether every word is in the label, or the second text begins with the whole. What was found for the text matches. */
export function matches(
  { label, also = '', found }: Pick<Command, 'label' | 'also' | 'found'>,
  typed: string,
): boolean {
  const text = searchable(typed.trim())
  if (found) return true
  if (text.length > 1 && searchable(also).startsWith(text)) return true
  const name = searchable(label)
  return text.split(/\s+/).every((word) => name.includes(word))
}
