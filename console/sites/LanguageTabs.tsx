import { LANGUAGES, type Language } from '../../server/contract/languages.ts'
import { DocsLink } from '../frame/DocsLink.tsx'
import { useInstallCommands } from '../frame/deployment.ts'
import { Tabs } from '../ui/page/Tabs.tsx'
import { FoldedSnippets } from '../ui/text/Snippet.tsx'
import { backendSnippets } from './siteSnippets.ts'
import { frameworkComponent, placeComponent } from './snippets.ts'

/** The code for a site, with its key filled in. */
export function SiteSnippets({
  site: { sitekey, hostnames },
  language,
  onLanguage,
  open: opened = true,
}: {
  site: { sitekey: string; hostnames: readonly string[] }
  language: Language
  onLanguage: (language: Language) => void
  /** Whether the first step is open at first. */
  open?: boolean
}) {
  // prefer a name to an IP address
  const hostname = hostnames.find((name) => /[a-z]/.test(name)) ?? hostnames[0] ?? 'localhost'
  const { origin } = location
  const { tables, open, redeem } = backendSnippets(language, { origin, hostname, sitekey })
  const install = useInstallCommands()
  const snippets = [
    ...(language === 'curl' ? [] : [{ name: 'Your backend: install the SDK', text: install[language] ?? '…' }]),
    ...(tables === undefined ? [] : [{ name: 'Your database (SQL)', text: tables }]),
    { name: 'Your backend, before the form is shown: open an intent', text: open },
    { name: 'Your page: place the component (HTML)', text: placeComponent(origin, sitekey) },
    {
      name: 'Or your page in React, Vue or Svelte: install the package',
      text: frameworkComponent(install.widget ?? '…', origin, sitekey),
    },
    { name: 'Your backend, when the form is submitted: redeem the token', text: redeem },
  ]
  return (
    <Tabs label="Language" value={language} onChange={onLanguage} tabs={LANGUAGES}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {language !== 'curl' && (
          <p className="text-ink-2">
            The SDK makes these calls, retries lost ones and checks the responses.{' '}
            <DocsLink page={`sdk-${language}`} before="See " after=".">
              the SDK for {LANGUAGES[language]}
            </DocsLink>
          </p>
        )}
        <FoldedSnippets key={language} open={opened} snippets={snippets} />
      </div>
    </Tabs>
  )
}
