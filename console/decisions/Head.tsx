import { OUTCOME_TONES, OUTCOMES } from '../feedback/words.ts'
import { Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import type { Trace } from './api.ts'
import { DEVICES, duration } from './words.ts'

/** `Decision: checkout on shop.example`. */
export const titleOf = ({ decision, action, hostname }: Trace): string =>
  `${decision ? 'Decision' : 'Intent'}: ${action} on ${hostname}`

/** What became of an intent, in a line: the outcome, when, how long, on which device, and what was reported. */
export function Head({ trace: { decision, intent, exemption } }: { trace: Trace }) {
  const challenge = decision?.challenge
  const feedback = decision?.feedback.at(-1)
  return (
    <>
      {decision === null ? (
        <Pill tone="challenge">Not completed</Pill>
      ) : (
        <Pill tone="pass">{exemption ? 'Passed with a grant' : 'Passed'}</Pill>
      )}
      {decision?.chargedTo === 'test' && <Pill tone="neutral">Test</Pill>}
      {feedback && <Pill tone={OUTCOME_TONES[feedback.outcome]}>{OUTCOMES[feedback.outcome]}</Pill>}
      <Time at={decision?.redeemedAt ?? intent.createdAt} as="zoned" />
      {challenge && <span>solved in {duration((challenge.solvedAt - challenge.challengedAt) * 1000)}</span>}
      {challenge && challenge.mobile !== null && <span>{DEVICES[challenge.mobile ? 'mobile' : 'desktop']}</span>}
    </>
  )
}
