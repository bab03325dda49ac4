import { Reveal } from '../ui/Reveal.tsx'

/** The codes for the day on which the phone is gone; shown this once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Reveal
      title="Your recovery codes"
      description="Each signs you in once, in the place of a code of the app. They are shown this once: without phone and codes the account is lost."
      name="Recovery codes"
      secret={codes.join('\n')}
      storeHint="In a password manager, or printed: not on the phone that has the app."
      onDone={onDone}
    />
  )
}
