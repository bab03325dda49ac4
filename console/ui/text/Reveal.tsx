import { useState } from 'react'
import { Button } from '../form/Button.tsx'
import { Checkbox } from '../form/Checkbox.tsx'
import { Dialog, DialogActions, DialogBody } from '../overlay/Dialog.tsx'
import { Snippet } from './Snippet.tsx'

/**
 * Shows a secret once. Closes only after the person has confirmed that it is saved. Keep `secret` in component state,
 * never in a cache or the URL, and drop it in `onDone`.
 */
export function Reveal({
  title,
  name,
  secret,
  others,
  action = 'Done',
  description = 'Copy it now – you won’t see it again. If you lose it, rotate the key.',
  storeHint = 'In a secret store or your backend’s environment; never in a page or a repository.',
  finalFocus,
  onDone,
}: {
  title: string
  /** For example "Secret key". */
  name: string
  /** Null: nothing to show. */
  secret: string | null
  /** What else is copied with it. */
  others?: readonly { name: string; text: string }[]
  /** The text of the button that closes it. */
  action?: string
  description?: string
  storeHint?: string
  /** What gets the focus when it has closed, if what had it before is gone. */
  finalFocus?: (() => HTMLElement | null) | undefined
  onDone: () => void
}) {
  return (
    <Dialog
      open={secret !== null}
      // Escape and a click outside must not close it: the secret cannot be shown again
      onClose={() => undefined}
      closable={false}
      finalFocus={finalFocus}
      title={title}
      description={description}
    >
      {secret !== null && (
        <Body
          snippets={[{ name, text: secret }, ...(others ?? [])]}
          action={action}
          storeHint={storeHint}
          onDone={onDone}
        />
      )}
    </Dialog>
  )
}

function Body({
  snippets,
  action,
  storeHint,
  onDone,
}: {
  snippets: readonly { name: string; text: string }[]
  action: string
  storeHint: string
  onDone: () => void
}) {
  const [stored, setStored] = useState(false)
  return (
    <>
      <DialogBody>
        {snippets.map((snippet) => (
          <Snippet key={snippet.name} {...snippet} />
        ))}
        <Checkbox
          label="I have saved it"
          hint={storeHint}
          checked={stored}
          onChange={(event) => setStored(event.target.checked)}
        />
      </DialogBody>
      <DialogActions>
        <Button look="primary" onClick={onDone} reason={stored ? undefined : 'Save it first: it won’t be shown again.'}>
          {action}
        </Button>
      </DialogActions>
    </>
  )
}
