import { getRouteApi } from '@tanstack/react-router'
import { useInstall } from '../sdk/useInstall.ts'
import { Code } from '../ui/Code.tsx'
import { OuterLink } from '../ui/Link.tsx'
import { Section } from '../ui/Page.tsx'
import { Snippet } from '../ui/Snippet.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { placeWidget } from '../welcome/snippets.ts'
import { CheckIntegration } from './CheckIntegration.tsx'
import { Permitted } from './Permitted.tsx'
import { backendSnippets, LANGUAGES } from './siteSnippets.ts'
import { TestKeys } from './TestKeys.tsx'
import { useSite } from './useSite.ts'

const route = getRouteApi('/o/$tenant/sites/$site/integrate')

/** What goes where, with the site's own key; what was seen of it; and the keys to try things with. */
export function Integrate() {
  return (
    <Permitted to="integration.read" title="The integration is for those who build">
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
  const install = useInstall()
  return (
    <Section
      title="Build it in"
      description={
        <>
          Two calls of your backend and one element in your page. <Code>TOLLGATE_SECRET</Code> is the site’s secret key,
          in your backend’s environment. Sessions, CSRF protection and your own rate limits stay yours. How to install
          the SDK, every field, code and remedy: <OuterLink href="/docs/integration">the guide</OuterLink>.
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
                The SDK makes these calls, repeats what was lost and checks the answers: see{' '}
                <OuterLink href={`/docs/sdk-${language}`}>the SDK for {LANGUAGES[language]}</OuterLink>.
              </p>
              <Snippet name="Your backend: install the SDK from this deployment" text={install[language] ?? '…'} />
            </>
          )}
          {tables !== undefined && <Snippet name="Your database (SQL)" text={tables} />}
          <Snippet name="1. Your backend, before the form: open an intent" text={open} />
          <Snippet name="2. Your page: place the widget (HTML)" text={placeWidget(origin, sitekey)} />
          <Snippet name="3. Your backend, when the form arrives: redeem the token" text={redeem} />
        </div>
      </Tabs>
    </Section>
  )
}
