import type { Tone } from '../ui/text/Pill.tsx'
import type { Delivery, Webhook } from './api.ts'

/** The state of a webhook. */
export function stateOf({ enabled, disabled, failingSince }: Webhook): { tone: Tone; word: string } {
  if (!enabled) return { tone: 'block', word: disabled === 'failures' ? 'Disabled after failures' : 'Disabled' }
  return failingSince === null ? { tone: 'pass', word: 'Enabled' } : { tone: 'challenge', word: 'Failing' }
}

export const DELIVERY_STATES = {
  waiting: { tone: 'neutral', word: 'Waiting' },
  retrying: { tone: 'challenge', word: 'Retrying' },
  delivered: { tone: 'pass', word: 'Delivered' },
  failed: { tone: 'block', word: 'Failed' },
} as const satisfies Record<Delivery['state'], { tone: Tone; word: string }>

/** The headers of the last attempt, and the body. */
export function requestText({ event, request: { body, timestamp, signature } }: Delivery): string {
  const head = timestamp === null ? [] : [`webhook-timestamp: ${timestamp}`, `webhook-signature: ${signature ?? ''}`]
  return [`webhook-id: ${event}`, ...head, '', JSON.stringify(JSON.parse(body), null, 2)].join('\n')
}
