import { useBlocker } from '@tanstack/react-router'
import { Dialog, DialogActions, DialogBody } from '../overlay/Dialog.tsx'
import { Button } from './Button.tsx'

/** While `dirty`, asks before another page is opened, and lets the browser ask before the tab is closed. */
export function UnsavedChanges({ dirty }: { dirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    enableBeforeUnload: dirty,
    disabled: !dirty,
    withResolver: true,
  })
  return (
    <Dialog open={status === 'blocked'} onClose={() => reset?.()} title="Discard unsaved changes?">
      <DialogBody>
        <p className="text-13 text-ink-2">What you changed on this page is not saved yet.</p>
      </DialogBody>
      <DialogActions>
        <Button onClick={() => reset?.()}>Keep editing</Button>
        <Button look="danger" onClick={() => proceed?.()}>
          Discard changes
        </Button>
      </DialogActions>
    </Dialog>
  )
}
