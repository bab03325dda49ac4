import type { NetworkVerdict } from '../../server/contract/networks.ts'
import { counted, short, whole } from '../ui/text/format.ts'
import type { Tone } from '../ui/text/Pill.tsx'

type VerdictWords = { label: string; hint: string; pill: string; tone: Tone }

/** What each verdict does. */
export const VERDICT_WORDS = {
  allow: {
    label: 'Allow',
    hint: 'Being busy costs its visitors nothing. For an office or a school behind one address.',
    pill: 'Allowed',
    tone: 'pass',
  },
  dear: {
    label: 'Raise difficulty',
    hint: 'Its challenges are four times as difficult, in adaptive mode. For datacenters that few customers use.',
    pill: 'Difficulty ×4',
    tone: 'challenge',
  },
  deny: {
    label: 'Deny',
    hint: 'Its visitors get no challenge and cannot submit a form. For networks that no customer uses.',
    pill: 'Denied',
    tone: 'block',
  },
} as const satisfies Record<NetworkVerdict, VerdictWords>

/** How much a network covers: in addresses, and in the /64 that a visitor has in IPv6. */
export function sizeWords({ family, bits }: { family: 4 | 6; bits: number }): string {
  if (family === 4) return counted(2 ** (32 - bits), 'address', 'addresses')
  if (bits === 64) return 'one visitor’s network (a /64)'
  if (bits > 64)
    return `${bits === 128 ? 'one address' : 'a part'} of one visitor’s network: most providers give each visitor a whole /64`
  const visitors = 2 ** (64 - bits)
  return `${visitors >= 1e6 ? short(visitors) : whole(visitors)} visitors’ networks (/64 each)`
}
