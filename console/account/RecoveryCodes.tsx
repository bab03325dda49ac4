import { Reveal } from '../ui/text/Reveal.tsx'

/** One-time codes for signing in without the authenticator app. Shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Reveal
      title="Your recovery codes"
      description="Use one if you lose your phone. Each code works once. Save them now: you won’t see them again, and without them you may lose access to your account."
      name="Recovery codes"
      secret={codes.join('\n')}
      storeHint="In a password manager or on paper, not on the phone with the authenticator app."
      onDone={onDone}
    />
  )
}
