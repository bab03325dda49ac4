import { expect, test } from '../../e2e/setup/test.ts'
import { check, linesOf, runUntil } from '../../e2e/setup/visitor.ts'

/** Why a page has no connection to the service, as one line in the console says it. */

/** Causes of `network`: the endpoint, what the line says after its general sentence, and the page's policy. */
const CAUSES: Readonly<
  Record<string, [endpoint: (url: string) => string, says: string, policy?: (url: string) => string]>
> = {
  'an endpoint without a scheme': [() => 'localhost:4700', 'It has no scheme: begin data-endpoint with https://'],
  'https on a port of http': [(url) => url.replace('http:', 'https:'), 'that the port speaks https and not http'],
  'a port at which nothing listens': [() => 'http://127.0.0.1:2', 'that the service runs at this host and port'],
  'a path that is none of the service’s': [(url) => `${url}/api`, 'the path in data-endpoint is wrong'],
  'a policy': [
    (url) => url,
    'The connect-src of its Content-Security-Policy blocked the request',
    (url) => `default-src 'none'; script-src ${url}; connect-src ${url}/widget/`,
  ],
  'a page without an origin': [(url) => url, 'The page has no origin', () => 'sandbox allow-scripts allow-forms'],
  'a policy that forbids all connections, by a built-in text': [
    (url) => url,
    'connect-src',
    (url) => `default-src 'none'; script-src ${url}`,
  ],
}

for (const [cause, [endpointOf, says, policyOf]] of Object.entries(CAUSES)) {
  test.describe(() => {
    test.use({ expectedErrors: /ERR_|Fetch API cannot load|Content Security Policy|CORS policy/ })

    test(`${cause} is named in the console`, async ({ page, trial, visit, service }) => {
      const lines = linesOf(page)
      await page.clock.install()
      const endpoint = endpointOf(service.url)
      const form = (await trial.form()).replace(`data-endpoint="${service.url}"`, `data-endpoint="${endpoint}"`)
      await visit(form, policyOf && { policy: policyOf(service.url) })
      await runUntil(page, () => lines.length === 1)
      const begins = cause.includes('built-in')
        ? 'Check data-endpoint'
        : `The page got no readable response from ${endpoint}. `
      expect(lines[0]).toContain(`Tollgate: network ${begins}`)
      expect(lines[0]).toContain(says)
      await expect(check(page)).toContainText('No connection')
    })
  })
}
