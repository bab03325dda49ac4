import type { Path } from '../endpoints.ts'

/** The introduction of the API reference, in Markdown. */
export const ABOUT = `Tollgate verifies that the client which submits a form has solved a proof of work for exactly this form.

Your backend opens an *intent* for one action. The visitor's browser solves a challenge for it and gets a *token*. Your
backend redeems the token: the result is a *decision*, which is charged exactly once.

1. Call \`POST /intents\` from your backend and put the \`intent_id\` into the page.
2. The [component](/docs/component) calls \`/challenge\` and \`/solve\` in the browser and puts the token into
   the form's field \`svc-captcha-response\`.
3. Call \`POST /siteverify\` from your backend before you act.

A solved challenge alone authorises nothing. The [integration guide](/docs) describes the full flow, with code and
what to store when. The [error reference](/docs/errors) describes what to do about each code. This deployment serves SDKs for
[Node.js](/docs/sdk-node), [Python](/docs/sdk-python) and [PHP](/docs/sdk-php), which make the calls of your backend.

## Conventions

- **Bodies** are one JSON object in each direction, with \`Content-Type: application/json\` (\`charset=utf-8\` is allowed), at
  most 16 KiB, nested at most 8 levels deep, without duplicate names. Values are not converted: \`123\` is not \`"123"\`, and
  \`null\` does not mean absent. Unknown fields are refused. A query string is ignored.
- **Errors** have exactly the body \`{"error": "<code>"}\`. With 422 \`bad-request\` the body also has \`field\`, the first
  invalid field.
- **Times** are whole Unix seconds of the service's clock.
- **Every reply** has an \`X-Request-Id\`. Log it: support can find the request by it.
- **Time-outs**: use 5 s. The service answers within 4.5 s, with 503 if it cannot do the work. A request must arrive
  completely within 10 s of its first byte, or the connection is closed.
- **Retry** 429 and 503 after \`Retry-After\`, and network errors, with exactly the same body. Repeating a request that was
  answered costs nothing and does not count towards any limit.
- **Order of checks**: path, method, media type, size, JSON, secret in the body, authentication, fields, Origin, repetition,
  rate limit, state, quota. The first failed check determines the answer.
- Objects of other sites look as if they did not exist.`

type Operation = { id: string; summary: string; description: string; done: string }

export const OPERATIONS: Record<Path, Operation> = {
  '/intents': {
    id: 'openIntent',
    summary: 'Open an intent',
    done: 'The intent, newly opened or the same one again.',
    description: `Opens an intent for one action on one page. It expires after 300 seconds. Call this endpoint when you render the form.

The same nonce with the same fields returns the same intent and the same \`expires_at\`. After expiry the answer is
\`intent-expired\`. Nonces are stored for at least 24 hours. Repeated requests do not count towards any limit.

A grant in \`trusted_grant_id\` is used here, in the same transaction as the intent; a repeated request uses nothing. The
grant's session must equal the request's; a grant without a session needs a request without one. The intent skips only the
challenge, until the grant is revoked or grants are switched off.`,
  },
  '/siteverify': {
    id: 'redeemToken',
    summary: 'Redeem a token',
    done: 'The visitor passed. The decision, newly made or the same one again.',
    description: `Redeems the token of a submitted form: creates a decision and charges one unit. Act only after a 200.

The decision and its charge are durable before the 200 is sent, and an intent is redeemed and charged at most once. If an
answer is lost, repeat the request: within 600 seconds the same five values return the same bytes again, without charge, even
if the intent has expired, the quota is used up or the site has been paused in the meantime. A refused request uses nothing
up: the correct parameters still work afterwards.`,
  },
  '/feedback': {
    id: 'reportFeedback',
    summary: 'Send feedback',
    done: 'The feedback is recorded, now or by an earlier request.',
    description: `Records the outcome of a decision, within 7 days of its redemption. The first event is revision 1. To correct it, send
a new event with the id of the latest one in \`supersedes_event_id\`. If two corrections arrive at the same time, one is
accepted and the other gets \`supersede-stale\`.

Members can also report and correct feedback in the console. \`Tollgate-Latest-Event\` of the reply is the id of the decision's
latest event, with 200, \`supersede-required\` and \`supersede-stale\`: if your report is still needed after one of these two, send a
new event that supersedes that one.

A decision accepts at most 20 revisions. After that, and after 7 days, the answer is \`feedback-closed\`.

Feedback never changes a decision and never bans anyone.`,
  },
  '/grants': {
    id: 'issueGrant',
    summary: 'Issue a grant',
    done: 'The grant, newly issued or the same one again.',
    description: `A grant lets a visitor who has just passed skip the challenge of the next intents. The decision is at most 10
minutes old, and one of these holds:

- Its own challenge was solved. The grant belongs to the session of the decision's intent. If that intent has no
  session, anyone who has the grant's id can use it, so keep it on your server.
- It was itself exempt, and its intent has a session: this renews the grant. The session's last solved challenge must be
  at most 24 hours old, or less if the site's policy says so.

The same request returns the same grant. A grant is valid for its own site only. Grants are off unless the deployment
enables them. Switching them off for the site also disables existing grants.`,
  },
  '/grants/revoke': {
    id: 'revokeGrants',
    summary: 'Revoke grants',
    done: 'The number of grants that were revoked.',
    description: `Revokes one grant by its id, or all grants of a session (log-out). Send exactly one of the two. Intents that
were opened with a revoked grant need a challenge, and their tokens are refused if they have not been redeemed yet.`,
  },
  '/challenge': {
    id: 'takeChallenge',
    summary: 'Request a challenge',
    done: 'A challenge, or the token if there is nothing to solve.',
    description: `Called by the component. Returns a new challenge for an intent that has not expired, or the token if the intent was
opened with a grant.

*pow-sha256*: for each i in 0 … count − 1 find a uint32 nonce with
\`uint32be(first 4 bytes of SHA-256(seed ‖ uint32be(i) ‖ uint32be(nonce))) < target\`, where seed is its 16 bytes.
The expected work is count × 2³² / target hashes.

*pow-hashwx*, only if the site asks for it and \`kinds\` has it: for each i in 0 … count − 1 find a uint32 nonce for which the upper
32 bits of HashWX(program, i · 2³² + nonce) are below target. The program of puzzle i is made from
SHA-256(seed ‖ uint32be(j)), where seed is its 32 bytes and j = ⌊i × 2³² / (target × span)⌋. [The function with test
vectors](/docs/hashwx).

Every page can read the answer, including errors. A page on another host than the intent's gets \`origin-not-allowed\`.`,
  },
  '/solve': {
    id: 'solveChallenge',
    summary: 'Submit a solution',
    done: 'The token.',
    description: `Called by the component. Returns the token, which expires together with its intent. After 10 wrong solutions for one
intent the answer is 429; solutions are counted before they are checked. A wrong solution invalidates all challenges issued for
the intent so far: they get \`challenge-expired\`, and the component requests a new one.`,
  },
}
