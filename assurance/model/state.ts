/** The model's state. All times are Unix seconds. Rows are moved into the past, and these times with them. */

export type Tenant = { id: string; included: number; used: number; balance: number; suspended: boolean }

export type Site = {
  id: string
  sitekey: string
  secret: string
  tenant: Tenant
  hostnames: Set<string>
  paused: boolean
  grants: boolean
  maxTtl: number
  maxUses: number
  /** Seconds; 0: exempt decisions cannot be renewed. */
  renewal: number
  subjectLimit: number
  /** Intents opened for each subject. The limiter uses the process's clock, which does not move. */
  opened: Map<string, number>
}

export type IntentFields = {
  action: string
  nonce: string
  hostname: string
  session?: string
  subject?: string
  trusted_grant_id?: string
}

export type Intent = {
  id: string
  site: Site
  fields: IntentFields
  expiresAt: number
  wrongSolutions: number
  decision?: Decision
}

export type Puzzle = { seed: string; count: number; target: number }
export type Challenge = {
  text: string
  intent: Intent
  puzzle: Puzzle
  expiresAt: number
  /** Wrong solutions of the intent when it was issued; another one invalidates it. */
  round: number
}
export type Token = { text: string; intent: Intent; solved: boolean }

export type Redemption = { response: string; action: string; hostname: string; key: string }

export type Decision = {
  id: string
  intent: Intent
  /** The exact reply. */
  text: string
  asked: Redemption
  /** The interval in which it was made: from sending the request to receiving the reply. */
  redeemed: [number, number]
  solved: boolean
  grant?: Grant
  events: FeedbackEvent[]
}

export type Grant = {
  id: string
  decision: Decision
  session: string | undefined
  ttlAsked: number
  usesAsked: number
  uses: number
  used: number
  expiresAt: number
  revoked: boolean
}

export type FeedbackFields = {
  decision_id: string
  event_id: string
  outcome: string
  business_type: string
  occurred_at: number
  supersedes_event_id?: string
}
export type FeedbackEvent = { site: Site; decision: Decision; fields: FeedbackFields; revision: number }

export class State {
  readonly tenants: Tenant[] = []
  readonly sites: Site[] = []
  readonly intents: Intent[] = []
  readonly challenges: Challenge[] = []
  readonly tokens: Token[] = []
  readonly decisions: Decision[] = []
  readonly grants: Grant[] = []
  readonly events: FeedbackEvent[] = []
  /** Seconds by which rows were moved into the past. */
  aged = 0

  age(seconds: number): void {
    this.aged += seconds
    for (const intent of this.intents) intent.expiresAt -= seconds
    for (const challenge of this.challenges) challenge.expiresAt -= seconds
    for (const grant of this.grants) grant.expiresAt -= seconds
    for (const event of this.events) event.fields.occurred_at -= seconds
    for (const { redeemed } of this.decisions) {
      redeemed[0] -= seconds
      redeemed[1] -= seconds
    }
  }
}
