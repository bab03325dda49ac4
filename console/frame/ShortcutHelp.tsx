import { useState } from 'react'
import { Switch } from '../ui/form/Switch.tsx'
import { Dialog, DialogBody } from '../ui/overlay/Dialog.tsx'
import { KBD, type KeyedPage, setSingleKeys, singleKeys } from './shortcuts.ts'

const GENERAL = [
  ['Search and commands', ['Ctrl K', '/']],
  ['Next and previous row, or decision', ['j', 'k']],
  ['Open the row', ['Enter']],
  ['Other links and buttons of the row', ['←', '→']],
  ['This list', ['?']],
] as const

/** The list of keyboard shortcuts, and a switch for those of single keys. */
export function ShortcutHelp({ pages, onClose }: { pages: readonly KeyedPage[]; onClose: () => void }) {
  const [on, setOn] = useState(singleKeys)
  const rows = [...GENERAL, ...pages.map(({ label, key }) => [label, [`g ${key}`]] as const)]
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      <DialogBody>
        <Switch
          label="Single keys"
          hint="Turn this off if you dictate. Ctrl K always works."
          checked={on}
          onChange={(next) => {
            setSingleKeys(next)
            setOn(next)
          }}
        />
        <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-y-1.5 text-13">
          {rows.map(([what, keys]) => (
            <div key={what} className="contents">
              <dt className="text-ink-2">{what}</dt>
              <dd className="flex gap-1.5">
                {keys.map((key) => (
                  <kbd key={key} className={KBD}>
                    {key}
                  </kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </DialogBody>
    </Dialog>
  )
}
