import type { Path } from '../endpoints.ts'

/** What the reference says of the API as a whole, in Markdown. */
export const ABOUT = `Tollgate verifies that a form was sent by somebody who took the trouble to open it, once.

Your backend opens an *intent* for one action, the visitor's browser earns a *token* for it, your backend redeems the
token: a *decision*, charged exactly once.

1. \`POST /intents\` from your backend; put the \`intent_id\` into the page.
2. The [component](/docs/integration#the-component) takes \`/challenge\` and \`/solve\` in the browser and puts the token into the form's field
   \`svc-captcha-response\`.
3. \`POST /siteverify\` from your backend, before it acts.

A solved component authorises nothing by itself. The [integration guide](/docs/integration) has the whole way, the code for
it, and what to store when; the [error reference](/docs/errors) what to do about each code. This deployment serves SDKs for
[Node.js](/docs/sdk-node) and [Python](/docs/sdk-python), which make the calls of your backend.

## Conventions

- **Bodies** are one JSON object each way, \`Content-Type: application/json\` (\`charset=utf-8\` may be added), at most
  16 KiB, nested at most 8 deep, no name twice. Nothing is coerced: \`123\` is not \`"123"\`, \`null\` is not absent. Unknown
  fields are refused. A query string is ignored.
- **Failures** have the body \`{"error": "<code>"}\` and nothing else; with 422 \`bad-request\` also \`field\`, the first
  offending field.
- **Time** is whole Unix seconds on the service's clock.
- **Every reply** carries \`X-Request-Id\`. Keep it: it is what we look for when you ask.
- **Time-outs**: wait 5 s. The service answers within 4.5 s, with 503 where it cannot do the work. A request must have
  arrived whole 10 s after its first byte, else the connection is closed.
- **Retry** 429 and 503 after \`Retry-After\`, and network errors, with the very same body. Repeating a request that was
  answered costs nothing and counts against no limit.
- **One fault, one answer**: a request is judged in the order path, method, media type, size, JSON, secret in the body,
  authentication, fields, Origin, repetition, rate limit, state, quota.
- What belongs to somebody else answers exactly as what does not exist.`

type Operation = { id: string; summary: string; description: string; done: string }

export const OPERATIONS: Record<Path, Operation> = {
  '/intents': {
    id: 'openIntent',
    summary: 'Open an intent',
    done: 'The intent, new or as it was opened before.',
    description: `Opens an intent for one action on one page; it lives 300 seconds. Call it when you render the form.

The same nonce with the same fields gives the same intent and the same \`expires_at\`, however often and from wherever;
after expiry it gives \`intent-expired\`. Nonces are remembered for at least 24 hours. Repetitions count against no limit.

A grant in \`trusted_grant_id\` is spent here, together with the intent or not at all; a repetition spends nothing. Its
session and this request's must be equal; a grant without a session needs a request without one. The intent it opens skips
the challenge and nothing else, until the grant is revoked or grants are switched off.`,
  },
  '/siteverify': {
    id: 'redeemToken',
    summary: 'Redeem a token',
    done: 'The visitor passed: the decision, new or as it was made before.',
    description: `Turns the token of a submitted form into a decision, and charges one unit. Act only after its 200.

Decision and charge are durable before the 200 leaves, and one intent is redeemed and charged at most once. Within 600
seconds the same five values give the same bytes again, without charge, even if the intent has expired, the quota is used
up or the site has been paused meanwhile: that is how a lost answer is settled. A refusal consumes nothing: the right
parameters still work afterwards.`,
  },
  '/feedback': {
    id: 'reportFeedback',
    summary: 'Report how it turned out',
    done: 'Recorded, now or before.',
    description: `Records what a decision turned out to be, until 7 days after its redemption. The first event is revision 1; to
correct, send a new event that names the latest one in \`supersedes_event_id\`. Of two corrections at once one wins, the
other is answered \`supersede-stale\`.

A decision takes 20 revisions at most; after that, as after the 7 days, the answer is \`feedback-closed\`.

Feedback never changes a decision and never bans anyone.`,
  },
  '/grants': {
    id: 'issueGrant',
    summary: 'Issue a grant',
    done: 'The grant, new or as it was given before.',
    description: `A grant lets a visitor who has just passed skip the challenge of the next intents. The decision is at most 10
minutes old, and one of these holds:

- Its own challenge was solved. The grant belongs to the session of the decision's intent; where that intent has no
  session, anyone who holds the grant's id can use it, so keep it on your server.
- It was itself exempt, and its intent has a session: this renews the grant. The session's last solved challenge must be
  at most 24 hours old, or less where the site's policy says so.

The same request gives the same grant. A grant is good for the same site only. Grants are off unless the deployment enables
them; switching them off for the site makes outstanding grants useless.`,
  },
  '/grants/revoke': {
    id: 'revokeGrants',
    summary: 'Revoke grants',
    done: 'How many were revoked.',
    description: `Revokes one grant by its id, or all of a session (log-out). Send exactly one of the two. Intents that a
revoked grant opened take a challenge, and their tokens are refused if they were not redeemed before.`,
  },
  '/challenge': {
    id: 'takeChallenge',
    summary: 'Take a challenge',
    done: 'A puzzle, or the token where there is nothing to solve.',
    description: `Called by the component. Gives a fresh puzzle for a living intent, or the token at once where the intent was opened
with a grant.

*pow-sha256*: for each i in 0 … count − 1 find a uint32 nonce with
\`uint32be(first 4 bytes of SHA-256(seed ‖ uint32be(i) ‖ uint32be(nonce))) < target\`, where seed is its 16 bytes.
The expected work is count × 2³² / target hashes.

Every page can read the answer, errors above all; a page on another host than the intent's gets \`origin-not-allowed\`.`,
  },
  '/solve': {
    id: 'solveChallenge',
    summary: 'Hand in a solution',
    done: 'The token.',
    description: `Called by the component. Gives the token, which lives exactly as long as its intent. After 10 wrong solutions for one
intent the answer is 429: solutions are counted before they are judged. A wrong solution ends every challenge that was issued for
the intent so far: they are answered \`challenge-expired\`, and the component takes a new one.`,
  },
}
