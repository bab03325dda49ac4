/** Makes a site of the evaluation's tenant and prints its keys. */
export const createSite = 'npm run tollgate -- site create --tenant demo --name "My site" --hostname localhost'

export const openIntent = (origin: string, hostname = 'localhost') => `curl ${origin}/intents \\
  -H "Authorization: Bearer $SECRET_KEY" \\
  -H 'Content-Type: application/json' \\
  -d @- <<JSON
{
  "action": "signup",
  "nonce": "$(openssl rand -hex 16)",
  "hostname": "${hostname}"
}
JSON`

export const placeWidget = (
  origin: string,
  sitekey = 'SITEKEY',
) => `<script src="${origin}/widget.js" async defer></script>

<form method="post" action="/signup">
  …
  <div
    class="svc-captcha"
    data-endpoint="${origin}"
    data-sitekey="${sitekey}"
    data-intent="INTENT_ID"
  ></div>
</form>`

export const redeemToken = (origin: string, hostname = 'localhost') => `curl ${origin}/siteverify \\
  -H "Authorization: Bearer $SECRET_KEY" \\
  -H 'Content-Type: application/json' \\
  -d @- <<JSON
{
  "response": "$TOKEN",
  "intent_id": "$INTENT_ID",
  "action": "signup",
  "hostname": "${hostname}",
  "idempotency_key": "$INTENT_ID"
}
JSON`
