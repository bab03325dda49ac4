import { counted, percent, whole } from '../ui/text/format.ts'
import type { Tone } from '../ui/text/Pill.tsx'
import type { Anomaly, TenantRow } from './api.ts'

type AnomalyWords = {
  tone: Tone
  /** For a list. */
  brief: (value: number) => string
  /** What it may mean, and what to do. */
  advice: (value: number, health: Pick<TenantRow['health'], 'balance'>) => string
}

export const ANOMALY_WORDS = {
  'units-requested': {
    tone: 'info',
    brief: (units) => `Asks for ${whole(units)} units`,
    advice: () => 'Approve or decline the request.',
  },
  incident: {
    tone: 'challenge',
    brief: (incidents) => counted(incidents, 'incident'),
    advice: () => 'Something unusual happens at their sites now.',
  },
  'quota-out': {
    tone: 'block',
    brief: () => 'Nothing left',
    advice: () =>
      'Quota and balance are used up: new intents are refused with quota-exceeded. Top up, or raise the quota.',
  },
  'traffic-fell': {
    tone: 'block',
    brief: (share) => `Traffic fell ${percent(share)}`,
    advice: (share) =>
      `${percent(share)} fewer redemptions than in the same 24 hours a week before: look at the refusals, at their last changes, and whether their forms still carry the component.`,
  },
  'no-siteverify': {
    tone: 'challenge',
    brief: () => 'No siteverify',
    advice: (intents) =>
      `${counted(intents, 'intent')} in 24 hours and not one redemption: their backend does not call /siteverify, so nothing is protected.`,
  },
  refusals: {
    tone: 'challenge',
    brief: (share) => `${percent(share)} refused`,
    advice: (share) => `${percent(share)} of all answers in 24 hours were refusals.`,
  },
  'quota-nearly': {
    tone: 'challenge',
    brief: (share) => `${percent(share)} of quota`,
    advice: (share, { balance }) =>
      `${percent(share)} of this month’s units are used${balance > 0 ? `, and ${counted(balance, 'prepaid unit')} follow${balance === 1 ? 's' : ''}` : ''}: ask whether they need more before nothing is left.`,
  },
} satisfies Record<Anomaly['code'], AnomalyWords>
