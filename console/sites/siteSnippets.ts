import { openIntent, redeemToken } from '../welcome/snippets.ts'

/** The languages of the backend snippets. */
export type Language = 'curl' | 'node' | 'python'

export const LANGUAGES = { curl: 'curl', node: 'Node', python: 'Python' } satisfies Record<Language, string>

export type Facts = { origin: string; hostname: string; sitekey: string }

export type BackendSnippets = {
  /** The tables that the other snippets use; none for curl. */
  tables?: string
  /** Runs before the form is shown. The secret stays in the environment. */
  open: string
  /** Runs when the form is submitted. In the languages with an SDK it continues the same file. */
  redeem: string
}

/** The backend's code in a language. Node and Python show the complete attempt of docs/backend.md. */
export const backendSnippets = (language: Language, facts: Facts): BackendSnippets => BACKENDS[language](facts)

const TABLES = `create table attempts (
  id              uuid primary key,
  session         text not null,
  action          text not null,
  hostname        text not null,
  nonce           text not null unique,
  idempotency_key text not null unique,
  intent_id       uuid unique,
  payload         jsonb,
  token           text,
  refusal         text,
  created_at      timestamptz not null default now(),
  check ((payload is null) = (token is null)),
  check (payload is null or intent_id is not null)
);
create table orders (
  attempt_id      uuid not null unique references attempts,
  decision_id     text not null unique,
  payload         jsonb not null
);`

const BACKENDS: Record<Language, (facts: Facts) => BackendSnippets> = {
  curl: ({ origin, hostname }) => ({
    open: openIntent(origin, hostname),
    redeem: redeemToken(origin, hostname),
  }),

  node: ({ origin, hostname, sitekey }) => ({
    tables: TABLES,
    open: `import { randomUUID } from 'node:crypto'
import { createIdempotencyKey, createNonce, isResponseToken, Tollgate } from '@tollgate/node'

const tollgate = new Tollgate({
  url: '${origin}',
  sitekey: '${sitekey}',
  secret: process.env.TOLLGATE_SECRET,
})
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
// from your configuration, never from a form field or the Host header
const page = { action: 'signup', hostname: '${hostname}' }

/** db: a pg.Pool. session: hashSession(your own key, the session id). */
export async function openForm(db, session) {
  const [attempt, nonce] = [randomUUID(), createNonce()]
  await db.query(
    \`insert into attempts (id, session, action, hostname, nonce, idempotency_key)
     values ($1, $2, $3, $4, $5, $6)\`,
    [attempt, session, page.action, page.hostname, nonce, createIdempotencyKey()],
  )
  const { intentId } = await tollgate.createIntent({ ...page, nonce, session })
  const { rowCount } = await db.query(
    'update attempts set intent_id = $2 where id = $1 and intent_id is null',
    [attempt, intentId],
  )
  if (rowCount !== 1) throw new Error('the attempt already has an intent')
  return { attempt, intentId }
}`,
    redeem: `/**
 * payload: the visitor's fields as you validated them, or null if they are not valid.
 * Throws a TollgateError where the visitor did not pass: nothing may be done then.
 */
export async function submit(db, session, { attempt, payload, token }) {
  if (!UUID.test(attempt)) return 'foreign' // 403: no form of this session
  const values = payload && isResponseToken(token) ? [JSON.stringify(payload), token] : [null, null]
  // the first complete submission stays
  await db.query(
    \`update attempts set payload = $3, token = $4
     where id = $1 and session = $2 and intent_id is not null
       and payload is null and $3::jsonb is not null\`,
    [attempt, session, ...values],
  )
  const { rows } = await db.query(
    \`select *, payload = $3::jsonb and token = $4 as is_same,
            exists (select from orders where attempt_id = attempts.id) as is_done
     from attempts where id = $1 and session = $2\`,
    [attempt, session, ...values],
  )
  const [stored] = rows
  if (!stored) return 'foreign'
  if (stored.payload === null) return 'incomplete' // 422: show the form again
  if (!stored.is_same) return 'changed' // 409: already sent with other content
  if (stored.is_done) return 'done'

  const { decisionId } = await tollgate.verify({
    response: stored.token,
    intentId: stored.intent_id,
    action: stored.action,
    hostname: stored.hostname,
    idempotencyKey: stored.idempotency_key,
  })
  // the business, once
  await db.query(
    \`insert into orders (attempt_id, decision_id, payload) values ($1, $2, $3)
     on conflict do nothing\`,
    [attempt, decisionId, JSON.stringify(stored.payload)],
  )
  return 'done'
}`,
  }),

  python: ({ origin, hostname, sitekey }) => ({
    tables: TABLES,
    open: `import json, os, uuid
from tollgate import Tollgate, create_idempotency_key, create_nonce, is_response_token

tollgate = Tollgate(
    url="${origin}",
    sitekey="${sitekey}",
    secret=os.environ["TOLLGATE_SECRET"],
)
# from your configuration, never from a form field or the Host header
ACTION, HOSTNAME = "signup", "${hostname}"


def open_form(db, session):
    """db: psycopg with autocommit and dict_row. session: hash_session(your own key, the session id)."""
    attempt, nonce = str(uuid.uuid4()), create_nonce()
    db.execute(
        """insert into attempts (id, session, action, hostname, nonce, idempotency_key)
           values (%s, %s, %s, %s, %s, %s)""",
        (attempt, session, ACTION, HOSTNAME, nonce, create_idempotency_key()),
    )
    intent = tollgate.create_intent(action=ACTION, hostname=HOSTNAME, nonce=nonce, session=session)
    attached = db.execute(
        "update attempts set intent_id = %s where id = %s and intent_id is null",
        (intent.intent_id, attempt),
    )
    if attached.rowcount != 1:
        raise RuntimeError("the attempt already has an intent")
    return attempt, intent.intent_id`,
    redeem: `def submit(db, session, attempt, payload, token):
    """payload: the visitor's fields as you validated them, or None if they are not valid.
    Raises a TollgateError where the visitor did not pass: nothing may be done then."""
    try:
        attempt = str(uuid.UUID(attempt))
    except (AttributeError, TypeError, ValueError):
        return "foreign"  # 403: no form of this session
    complete = payload is not None and is_response_token(token)
    said = {
        "attempt": attempt,
        "session": session,
        "payload": json.dumps(payload) if complete else None,
        "token": token if complete else None,
    }
    # the first complete submission stays
    db.execute(
        """update attempts set payload = %(payload)s::jsonb, token = %(token)s
           where id = %(attempt)s and session = %(session)s and intent_id is not null
             and payload is null and %(payload)s::jsonb is not null""",
        said,
    )
    stored = db.execute(
        """select *, payload = %(payload)s::jsonb and token = %(token)s as is_same,
                  exists (select from orders where attempt_id = attempts.id) as is_done
           from attempts where id = %(attempt)s and session = %(session)s""",
        said,
    ).fetchone()
    if stored is None:
        return "foreign"
    if stored["payload"] is None:
        return "incomplete"  # 422: show the form again
    if not stored["is_same"]:
        return "changed"  # 409: already sent with other content
    if stored["is_done"]:
        return "done"

    decision = tollgate.verify(
        response=stored["token"],
        intent_id=str(stored["intent_id"]),
        action=stored["action"],
        hostname=stored["hostname"],
        idempotency_key=stored["idempotency_key"],
    )
    # the business, once
    db.execute(
        """insert into orders (attempt_id, decision_id, payload) values (%s, %s, %s)
           on conflict do nothing""",
        (attempt, decision.decision_id, json.dumps(stored["payload"])),
    )
    return "done"`,
  }),
}
