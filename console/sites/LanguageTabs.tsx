import { LANGUAGES, type Language } from '../../server/contract/languages.ts'
import { DocsLink } from '../frame/DocsLink.tsx'
import { useInstallCommands, useWordPressPlugin } from '../frame/deployment.ts'
import { Tabs } from '../ui/page/Tabs.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { OuterLink } from '../ui/text/Link.tsx'
import { FoldedSnippets } from '../ui/text/Snippet.tsx'
import { backendSnippets } from './siteSnippets.ts'
import { frameworkComponent, placeComponent } from './snippets.ts'

/** What a backend uses: a language, or WordPress with its plugin. */
export type Backend = Language | 'wordpress'
const BACKENDS: Record<Backend, string> = { ...LANGUAGES, wordpress: 'WordPress' }

type Site = { sitekey: string; hostnames: readonly string[] }

/** What to do for a site, with its key filled in. */
export function SiteSnippets({
  site,
  language,
  onLanguage,
  open = true,
}: {
  site: Site
  language: Backend
  onLanguage: (language: Backend) => void
  /** Whether the first step is open at first. */
  open?: boolean
}) {
  return (
    <Tabs label="Language" value={language} onChange={onLanguage} tabs={BACKENDS}>
      {language === 'wordpress' ? (
        <WordPressSteps sitekey={site.sitekey} />
      ) : (
        <LanguageSnippets site={site} language={language} open={open} />
      )}
    </Tabs>
  )
}

function WordPressSteps({ sitekey }: { sitekey: string }) {
  const plugin = useWordPressPlugin()
  return (
    <ol className="grid list-decimal gap-3 pl-5 text-ink-2">
      <li>
        Download {plugin ? <OuterLink href={plugin.url}>{plugin.file}</OuterLink> : 'the plugin'}. In WordPress, upload
        it under Plugins → Add New → Upload Plugin, and activate it.
      </li>
      <li>
        Under Settings → Tollgate, enter the address <CopyText text={location.origin} name="address" />, the site key{' '}
        <CopyText text={sitekey} name="site key" /> and a secret key of this site. Save the changes.
      </li>
      <li>
        Press “Check”. Comments, registration and lost password are protected now.{' '}
        <DocsLink page="wordpress" before="See " after=".">
          the guide for WordPress
        </DocsLink>
      </li>
    </ol>
  )
}

/** The code, with the site's key filled in. */
function LanguageSnippets({
  site: { sitekey, hostnames },
  language,
  open: opened,
}: {
  site: Site
  language: Language
  open: boolean
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
  )
}
