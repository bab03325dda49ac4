import type { Mistake } from './mistake.ts'

/** What the component reports by itself, without an answer of the service: its codes, and fields of them that need another remedy. */
export const COMPONENT = {
  'missing-option': {
    cause: 'The site key, the intent or the endpoint is absent; `detail.field` names them.',
    remedy: 'Set `data-sitekey`, `data-intent` and `data-endpoint`, or the options of `render`.',
    page: 'The attributes data-sitekey, data-intent and data-endpoint (or the options of render) are required; the ones named here are absent or not valid.',
  },
  network: {
    cause: 'There was no answer, or the page may not read it.',
    remedy:
      "The line in the browser's console names the cause: `data-endpoint`, `connect-src` of the page's policy, http in an https page, or a proxy that removes CORS headers.",
    page: {
      '^(?!https?:)':
        'The page got no readable response from {endpoint}. It has no scheme: begin data-endpoint with https://, or on your own machine with http://.',
      '^(https?://[^/ ]+)\\S* \\1':
        'The page got no readable response from {endpoint}. The connect-src of its Content-Security-Policy blocked the request: add the origin of the service to it.',
      '^\\S+ \\S* false':
        'The page got no readable response from {endpoint}. The browser is offline. The component tries again by itself.',
      '^.* null$':
        'The page got no readable response from {endpoint}. The page has no origin, because it is a file or in a sandboxed frame without allow-same-origin. Serve it over http or https, at an allowed hostname.',
      '^https?://[^/ ]+/\\S+ \\S* true true':
        'The page got no readable response from {endpoint}. A server answers there, so the path in data-endpoint is wrong, or a proxy keeps the path or removes the CORS headers. {endpoint}/challenge has to be that of the service.',
      '^\\S+ \\S* true true':
        'The page got no readable response from {endpoint}. A server answers there, so it is another one than Tollgate (check host and port), or a proxy removes the CORS headers.',
      '^http://(?!localhost|127\\.|\\[::1)\\S+ \\S* true false https:':
        'The page got no readable response from {endpoint}. A page with https must not call an endpoint with http: set data-endpoint to the https address of the service.',
      '^https:':
        'The page got no readable response from {endpoint}. No connection came about. Check that the service runs at this host and port, that the port speaks https and not http, and that the browser trusts its certificate.',
      '^http:':
        'The page got no readable response from {endpoint}. No connection came about. Check that the service runs at this host and port, and that the port speaks http and not https.',
      '': "The page got no readable response from {endpoint}. Check that data-endpoint is the address of the service (scheme, host and port), that connect-src of the page's Content-Security-Policy allows it, that a page with https does not call an endpoint with http, and that no proxy removes CORS headers. A page without an origin (file:, sandboxed frame) cannot call the service.",
    },
  },
  answer: {
    cause:
      'With `network`: something other than the service answered, such as a proxy, a captive portal or a service worker of the page.',
    remedy: 'If every visitor gets this, correct `data-endpoint`. Otherwise the component tries again.',
    page: 'The response did not come from Tollgate. If every visitor gets this, set data-endpoint (now {endpoint}) to the address of the service. Otherwise a proxy, a captive portal or a service worker of the page has answered in its place.',
  },
  unsupported: {
    cause:
      'The browser is too old, or a policy or a script of the page blocks the component; or the component is older than the service.',
    remedy: "Read the errors above this one in the browser's console. Load `widget.js` from this service.",
    page: 'The browser is too old, a Content-Security-Policy or a script of the page blocks the component, or the component is older than the service.',
  },
  renew: {
    cause: 'The path of `data-renew` returned no new intent.',
    remedy: 'Answer the POST with a new intent: see [When the intent expires](component.md#when-the-intent-expires).',
    page: 'The POST to {renew} did not return a new intent. It must respond with 200 with the JSON {"intent_id":"…"}, where the ID belongs to an intent that was just opened, not to {intent}. If the server protects its forms against forged requests (CSRF), send its token with data-renew-header.',
  },
  'no-form': {
    cause: 'The page has forms, but the element belongs to none.',
    remedy: 'Move the element into its form, or set `data-callback`: see [The form](component.md#the-form).',
    page: 'The element is in no form, and no field beside it belongs to one, so no form waits for the token or gets it. Move the element into its form. Without a form, set data-callback.',
  },
  'renew-ignored': {
    cause: "`data-renew` is not a path on the page's own origin.",
    remedy: 'Set a path of your own backend, such as `/signup/intent`.',
    page: "data-renew is ignored: it must be a path on the page's own origin, {origin}.",
  },
} as const satisfies Record<string, Mistake>
