import { LANGUAGES, type Language } from '../../server/contract/languages.ts'
import { DocsLink } from '../frame/DocsLink.tsx'
import { useInstallCommands } from '../frame/deployment.ts'
import { Tabs } from '../ui/page/Tabs.tsx'
import { Snippet } from '../ui/text/Snippet.tsx'
import { placeComponent } from '../welcome/snippets.ts'
import { backendSnippets } from './siteSnippets.ts'

/** The code for a site, with its key filled in. */
export function SiteSnippets({
  site: { sitekey, hostnames },
  language,
  onLanguage,
}: {
  site: { sitekey: string; hostnames: readonly string[] }
  language: Language
  onLanguage: (language: Language) => void
}) {
  // prefer a name to an IP address
  const hostname = hostnames.find((name) => /[a-z]/.test(name)) ?? hostnames[0] ?? 'localhost'
  const { origin } = location
  const { tables, open, redeem } = backendSnippets(language, { origin, hostname, sitekey })
  const install = useInstallCommands()
  return (
    <Tabs label="Language" value={language} onChange={onLanguage} tabs={LANGUAGES}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {language !== 'curl' && (
          <>
            <p className="text-ink-2">
              The SDK makes these calls, retries lost ones and checks the responses.{' '}
              <DocsLink page={`sdk-${language}`} before="See " after=".">
                the SDK for {LANGUAGES[language]}
              </DocsLink>
            </p>
            <Snippet name="Your backend: install the SDK from this deployment" text={install[language] ?? '…'} />
          </>
        )}
        {tables !== undefined && <Snippet name="Your database (SQL)" text={tables} />}
        <Snippet name="1. Your backend, before the form is shown: open an intent" text={open} />
        <Snippet name="2. Your page: place the component (HTML)" text={placeComponent(origin, sitekey)} />
        <Snippet name="3. Your backend, when the form is submitted: redeem the token" text={redeem} />
      </div>
    </Tabs>
  )
}
