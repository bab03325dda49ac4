/** The dialog's handler, set while it is mounted. */
let ask: (() => Promise<boolean>) | undefined
let asking: Promise<boolean> | undefined

/** Asks the person to sign in again; false if they cancel. Concurrent calls share one dialog. */
export function reauthenticate(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => (asking = undefined))
  return asking
}

/** Registers the dialog's handler. Returns a function that removes it. */
export function onReauthenticate(how: () => Promise<boolean>): () => void {
  ask = how
  return () => {
    if (ask === how) ask = undefined
  }
}
