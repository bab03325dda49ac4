import { placeAddress } from './guide.ts'
import { GROUPS, markdownOf } from './pages.ts'

/** What language models read first (llmstxt.org): what the product is, and every page as Markdown. */
export function describeForModels(url: string): string {
  const groups = GROUPS.map(({ name, pages }) => {
    const lines = pages.map((page) =>
      page.file === undefined
        ? `- [OpenAPI document](${url}/openapi.json): all endpoints, fields, limits and errors`
        : `- [${page.name}](${url}${markdownOf(page)})`,
    )
    return `## ${name}\n\n${lines.join('\n')}\n`
  })
  return placeAddress(
    `# Tollgate

> A self-hosted captcha service. A backend opens an intent with POST /intents, the component in the page solves a proof of work
> and puts a token into the form, and the backend redeems the token with POST /siteverify. Only a 200 of /siteverify
> whose fields match the request is a pass. The service runs at http://localhost:3000.

- Not a drop-in replacement: an intent is opened before the form is shown, bodies are JSON, the secret is in the header
  Authorization: Bearer, errors are statuses with {"error": "<code>"}, and there is no score.
- Generate nonce and idempotency key once for each form, store them before the calls, and repeat calls with the same values.

${groups.join('\n')}`,
    url,
  )
}
