/** The dialog that asks; set by it while it stands. */
let ask: (() => Promise<boolean>) | undefined
let asking: Promise<boolean> | undefined

/** Asks the person to prove again who they are; false where they call it off. Calls at the same time share one question. */
export function reauthenticate(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => (asking = undefined))
  return asking
}

/** For the dialog: how to ask. Returns how to withdraw. */
export function onReauthenticate(how: () => Promise<boolean>): () => void {
  ask = how
  return () => {
    if (ask === how) ask = undefined
  }
}
