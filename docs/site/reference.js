// Draws the API reference from the two OpenAPI documents. Everything that would speak with another host is off, and so is sending
// requests from the page: a secret key does not belong into a browser.
const { theme } = document.documentElement.dataset
const dark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches

window.Scalar.createApiReference('#reference', {
  sources: [
    { title: 'Verification API', slug: 'verification', url: '/openapi.json' },
    { title: 'Management API', slug: 'management', url: '/v1/openapi.json' },
  ],
  withDefaultFonts: false,
  theme: 'none',
  layout: 'modern',
  forceDarkModeState: dark ? 'dark' : 'light',
  hideDarkModeToggle: true,
  hideTestRequestButton: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: false,
  operationTitleSource: 'summary',
  // the order in which offences are reported
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  defaultOpenFirstTag: true,
})
