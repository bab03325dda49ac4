import { getRouteApi } from '@tanstack/react-router'
import { useInstallCommands } from '../frame/deployment.ts'
import { Section } from '../ui/page/Page.tsx'
import { Tabs } from '../ui/page/Tabs.tsx'
import { OuterLink } from '../ui/text/Link.tsx'
import { Code, Snippet } from '../ui/text/Snippet.tsx'
import { placeWidget } from '../welcome/snippets.ts'
import { CheckIntegration } from './CheckIntegration.tsx'
import { Permitted } from './Permitted.tsx'
import { backendSnippets, LANGUAGES } from './siteSnippets.ts'
import { TestKeys } from './TestKeys.tsx'
import { useSite } from './useSite.ts'

const route = getRouteApi('/o/$tenant/sites/$site/integrate')

/** The integration check, snippets with the site's key, and test keys. */
export function Integrate() {
  return (
    <Permitted to="integration.read" title="You don’t have access to the integration">
      <CheckIntegration />
      <Snippets />
      <TestKeys />
    </Permitted>
  )
}

function Snippets() {
  const { sitekey, hostnames } = useSite()
  const { language = 'curl' } = route.useSearch()
  const navigate = route.useNavigate()
  // a name reads better than an address
  const hostname = hostnames.find((name) => /[a-z]/.test(name)) ?? hostnames[0] ?? 'localhost'
  const { origin } = location
  const { tables, open, redeem } = backendSnippets(language, { origin, hostname, sitekey })
  const install = useInstallCommands()
  return (
    <Section
      title="Add it to your form"
      description={
        <>
          Two calls of your backend and one element in your page. <Code>TOLLGATE_SECRET</Code> is the site’s secret key,
          in your backend’s environment. You keep your own sessions, CSRF protection and rate limits. For every field,
          error and fix see <OuterLink href="/docs/integration">the guide</OuterLink>.
        </>
      }
    >
      <Tabs
        label="Language"
        value={language}
        onChange={(language) => void navigate({ search: { language }, replace: true })}
        tabs={LANGUAGES}
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {language !== 'curl' && (
            <>
              <p className="text-ink-2">
                The SDK makes these calls, retries lost ones and checks the responses: see{' '}
                <OuterLink href={`/docs/sdk-${language}`}>the SDK for {LANGUAGES[language]}</OuterLink>.
              </p>
              <Snippet name="Your backend: install the SDK from this deployment" text={install[language] ?? '…'} />
            </>
          )}
          {tables !== undefined && <Snippet name="Your database (SQL)" text={tables} />}
          <Snippet name="1. Your backend, before the form is shown: open an intent" text={open} />
          <Snippet name="2. Your page: place the widget (HTML)" text={placeWidget(origin, sitekey)} />
          <Snippet name="3. Your backend, when the form is submitted: redeem the token" text={redeem} />
        </div>
      </Tabs>
    </Section>
  )
}
