import type { Language } from '../../../contract/languages.ts'
import { explainIntegration } from '../../../contract/mistakes/integration.ts'
import type { Context } from '../../../kit/context.ts'
import { seconds } from '../../../kit/db/clock.ts'
import { lastTestKeyUse } from '../integration.ts'
import { DAYS, type Evidence, readEvidence } from './evidence.ts'
import { type Lines, languageOf, linesFor } from './lines.ts'
import { type Finding, findMistakes } from './mistakes.ts'

/** `lines`: for `language`, which is that of the SDK in use unless the caller chose one. */
export type Diagnosis = {
  days: number
  language: Language
  /** The SDK that called last; null if the calls were made without one. */
  sdk: Language | null
  findings: (Finding & ReturnType<typeof explainIntegration> & { lines: Lines })[]
}

/** The mistakes that the site's calls of the last days show, errors first, with the lines to change. */
export async function diagnose(
  ctx: Pick<Context, 'prisma' | 'clock'>,
  site: { id: string; tenantId: string; sitekey: string },
  chosen?: Language,
): Promise<Diagnosis> {
  const { evidence, findings } = await examine(ctx, site)
  const latest = evidence.secrets.toSorted((a, b) => (b.usedAt ?? 0) - (a.usedAt ?? 0))[0]
  const sdk = languageOf(latest?.usedBy) ?? null
  const language = chosen ?? sdk ?? 'curl'
  const facts = { sitekey: site.sitekey, hostname: evidence.hostnames[0] ?? 'shop.example' }
  return {
    days: DAYS,
    language,
    sdk,
    findings: findings.map((finding) => ({
      ...finding,
      ...explainIntegration(finding.mistake, finding),
      lines: linesFor(finding, language, facts),
    })),
  }
}

/** What the site's calls of the last days show, and which mistakes. */
export async function examine(
  ctx: Pick<Context, 'prisma' | 'clock'>,
  site: { id: string; sitekey: string },
): Promise<{ evidence: Evidence; findings: Finding[] }> {
  const [evidence, testKeyAt] = await Promise.all([readEvidence(ctx, site), lastTestKeyUse(ctx, site)])
  return { evidence, findings: findMistakes(evidence, { now: seconds(ctx.clock.now()), testKeyAt }) }
}
