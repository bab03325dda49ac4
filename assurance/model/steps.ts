import type fc from 'fast-check'
import { feedback, grant, repeatFeedback, revocation } from './steps/afterwards.ts'
import { hostnames, passTime, pause, policy, quota, suspend, unauthorized } from './steps/changes.ts'
import type { Step } from './steps/step.ts'
import { answer, challenge, earn, open, repeatIntent, repeatRedemption, spend, verify } from './steps/verification.ts'

/** The steps of a sequence; those of a verification come more often. */
export const STEPS: fc.Arbitrary<Step>[] = [
  earn,
  earn,
  earn,
  open,
  repeatIntent,
  challenge,
  answer,
  verify,
  verify,
  repeatRedemption,
  feedback,
  feedback,
  repeatFeedback,
  grant,
  grant,
  spend,
  spend,
  revocation,
  passTime,
  passTime,
  pause,
  suspend,
  policy,
  hostnames,
  quota,
  unauthorized,
]
