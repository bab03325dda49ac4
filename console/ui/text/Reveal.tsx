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
  description = 'Copy it now – you won’t see it again. If you lose it, rotate the key.',
  storeHint = 'In a secret store or your backend’s environment; never in a page or a repository.',
  onDone,
}: {
  title: string
  /** For example "Secret key". */
  name: string
  /** Null: nothing to show. */
  secret: string | null
  description?: string
  storeHint?: string
  onDone: () => void
}) {
  return (
    <Dialog
      open={secret !== null}
      // Escape and a click outside must not close it: the secret cannot be shown again
      onClose={() => undefined}
      closable={false}
      title={title}
      description={description}
    >
      {secret !== null && <Body name={name} secret={secret} storeHint={storeHint} onDone={onDone} />}
    </Dialog>
  )
}

function Body({
  name,
  secret,
  storeHint,
  onDone,
}: {
  name: string
  secret: string
  storeHint: string
  onDone: () => void
}) {
  const [stored, setStored] = useState(false)
  return (
    <>
      <DialogBody>
        <Snippet name={name} text={secret} />
        <Checkbox
          label="I have saved it"
          hint={storeHint}
          checked={stored}
          onChange={(event) => setStored(event.target.checked)}
        />
      </DialogBody>
      <DialogActions>
        <Button look="primary" onClick={onDone} reason={stored ? undefined : 'Save it first: it won’t be shown again.'}>
          Done
        </Button>
      </DialogActions>
    </>
  )
}
