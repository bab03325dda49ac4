/** What the snippets of one language look like: what the backend runs before the form, and when it arrives. */
export type Language = 'curl' | 'node' | 'python'

export const LANGUAGES = { curl: 'curl', node: 'Node', python: 'Python' } satisfies Record<Language, string>

type Facts = { origin: string; hostname: string }

/** Opens an intent; the secret stays in the environment. */
export const openIntent = (language: Language, facts: Facts): string => OPEN[language](facts)

/** Redeems the token of a submitted form. */
export const redeemToken = (language: Language, facts: Facts): string => REDEEM[language](facts)

/** The widget in the merchant's form. */
export const placeWidget = ({ origin, sitekey }: { origin: string; sitekey: string }): string =>
  `<script src="${origin}/widget.js" async defer></script>

<form method="post" action="/signup">
  <input name="email" type="email" required>
  <div class="svc-captcha"
       data-endpoint="${origin}"
       data-sitekey="${sitekey}"
       data-intent="INTENT_ID"></div>
  <button>Sign up</button>
</form>`

const OPEN: Record<Language, (facts: Facts) => string> = {
  curl: ({ origin, hostname }) => `curl ${origin}/intents \\
  -H "Authorization: Bearer $TOLLGATE_SECRET" \\
  -H 'Content-Type: application/json' \\
  -d '{"action":"signup","nonce":"'"$(openssl rand -hex 16)"'","hostname":"${hostname}"}'`,

  node: ({ origin, hostname }) => `// nonce: 16 to 128 characters, drawn and stored before this call; a retry repeats it
const reply = await fetch('${origin}/intents', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.TOLLGATE_SECRET}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({ action: 'signup', nonce, hostname: '${hostname}' }),
  signal: AbortSignal.timeout(5000),
})
const intent = await reply.json()
if (!reply.ok) throw new Error(intent.error)
// intent.intent_id goes into the form, and into your record of it`,

  python: ({
    origin,
    hostname,
  }) => `# nonce: 16 to 128 characters, drawn and stored before this call; a retry repeats it
import json, os, urllib.request

request = urllib.request.Request(
    "${origin}/intents",
    data=json.dumps({"action": "signup", "nonce": nonce, "hostname": "${hostname}"}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['TOLLGATE_SECRET']}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request, timeout=5) as reply:  # raises HTTPError where it is refused
    intent = json.load(reply)
# intent["intent_id"] goes into the form, and into your record of it`,
}

const REDEEM: Record<Language, (facts: Facts) => string> = {
  curl: ({ origin, hostname }) => `curl ${origin}/siteverify \\
  -H "Authorization: Bearer $TOLLGATE_SECRET" \\
  -H 'Content-Type: application/json' \\
  -d '{"response":"'"$TOKEN"'","intent_id":"'"$INTENT_ID"'","action":"signup",
       "hostname":"${hostname}","idempotency_key":"'"$IDEMPOTENCY_KEY"'"}'`,

  node: ({ origin, hostname }) => `// intentId and idempotencyKey come from your record, never from the form
const reply = await fetch('${origin}/siteverify', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.TOLLGATE_SECRET}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    response: form['svc-captcha-response'],
    intent_id: intentId,
    action: 'signup',
    hostname: '${hostname}',
    idempotency_key: idempotencyKey,
  }),
  signal: AbortSignal.timeout(5000),
})
const decision = await reply.json()
if (!reply.ok) throw new Error(decision.error)
// only now do the business, once, under decision.decision_id`,

  python: ({ origin, hostname }) => `# intent_id and idempotency_key come from your record, never from the form
import json, os, urllib.request

request = urllib.request.Request(
    "${origin}/siteverify",
    data=json.dumps({
        "response": form["svc-captcha-response"],
        "intent_id": intent_id,
        "action": "signup",
        "hostname": "${hostname}",
        "idempotency_key": idempotency_key,
    }).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['TOLLGATE_SECRET']}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request, timeout=5) as reply:  # raises HTTPError where it is refused
    decision = json.load(reply)
# only now do the business, once, under decision["decision_id"]`,
}
