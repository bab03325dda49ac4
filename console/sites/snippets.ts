/** The file `.env` with a site's keys, which the programs of the quick start read. */
export const envFile = (origin: string, sitekey: string, secret = '') => `TOLLGATE_URL=${origin}
TOLLGATE_SITEKEY=${sitekey}
TOLLGATE_SECRET=${secret}`

// Nonce and key are generated before the call, because a retry must send the same ones.

/** Opens an intent with curl. */
export const openIntent = (origin: string, hostname = 'localhost') => `# generate once for each form, and store with it
NONCE=$(openssl rand -hex 16)
IDEMPOTENCY_KEY=$(openssl rand -hex 16)

curl ${origin}/intents \\
  -H "Authorization: Bearer $TOLLGATE_SECRET" \\
  -H 'Content-Type: application/json' \\
  -d @- <<JSON
{
  "action": "signup",
  "nonce": "$NONCE",
  "hostname": "${hostname}"
}
JSON`

/** The component in the merchant's form. */
export const placeComponent = (
  origin: string,
  sitekey = 'SITEKEY',
) => `<!-- send this page with Cache-Control: no-store -->
<script src="${origin}/widget.js" async defer></script>

<form method="post" action="/signup">
  <input type="hidden" name="attempt" value="ATTEMPT_ID">
  <input name="email" type="email" required>
  <div
    class="svc-captcha"
    data-endpoint="${origin}"
    data-sitekey="${sitekey}"
    data-intent="INTENT_ID"
  ></div>
  <button>Sign up</button>
</form>`

/** The component of the package for a framework. `install` is the command that installs it. */
export const frameworkComponent = (install: string, origin: string, sitekey: string) => `${install}

// JSX; in Vue and Svelte, import it from '@tollgate/widget/vue' or '/svelte'. See ${origin}/docs/front-end
import { Tollgate } from '@tollgate/widget/react'

<Tollgate url="${origin}" sitekey="${sitekey}" intent={intentId} />`

/** Redeems the token of a submitted form with curl. */
export const redeemToken = (origin: string, hostname = 'localhost') => `INTENT_ID=…  # as stored with the form
TOKEN=…      # the field svc-captcha-response

# a retry with the same key returns the same decision, without a second charge
curl ${origin}/siteverify \\
  -H "Authorization: Bearer $TOLLGATE_SECRET" \\
  -H 'Content-Type: application/json' \\
  -d @- <<JSON
{
  "response": "$TOKEN",
  "intent_id": "$INTENT_ID",
  "action": "signup",
  "hostname": "${hostname}",
  "idempotency_key": "$IDEMPOTENCY_KEY"
}
JSON`
