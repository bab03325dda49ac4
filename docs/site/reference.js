// Draws the API reference from an OpenAPI document. Everything that would speak with another host is off, and so is sending requests
// from the page: a secret key does not belong into a browser. The search is that of the page.
const { theme } = document.documentElement.dataset
const dark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
const chosen = new URLSearchParams(location.search).get('api') === 'management' ? 'management' : 'verification'
document.querySelector(`[data-api="${chosen}"]`).setAttribute('aria-current', 'page')
/** Languages of samples that do not use our SDKs. */
const OTHERS =
  'c clojure csharp dart fsharp go http java js julia kotlin node objc ocaml php powershell python r ruby rust swift'.split(
    ' ',
  )

window.Scalar.createApiReference('#reference', {
  url: chosen === 'management' ? '/v1/openapi.json' : '/openapi.json',
  withDefaultFonts: false,
  theme: 'none',
  layout: 'modern',
  forceDarkModeState: dark ? 'dark' : 'light',
  hideDarkModeToggle: true,
  hideSearch: true,
  hideTestRequestButton: true,
  hideClientButton: true,
  // all but curl
  hiddenClients: { ...Object.fromEntries(OTHERS.map((language) => [language, true])), shell: ['httpie', 'wget'] },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  showDeveloperTools: 'never',
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  operationTitleSource: 'summary',
  // the order in which offences are reported
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  defaultOpenFirstTag: true,
})
