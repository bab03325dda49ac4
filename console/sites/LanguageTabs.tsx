import { type Language, SDKS } from '../../server/contract/languages.ts'
import { DocsLink } from '../frame/DocsLink.tsx'
import { useInstallCommands, useWordPressPlugin } from '../frame/deployment.ts'
import { Disclosure } from '../ui/page/Disclosure.tsx'
import { Tabs } from '../ui/page/Tabs.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { OuterLink } from '../ui/text/Link.tsx'
import { Code, FoldedSnippets } from '../ui/text/Snippet.tsx'
import { BACKENDS, type Backend, rememberBackend } from './backends.ts'
import { backendSnippets, QUICK_STARTS } from './siteSnippets.ts'
import { envFile, frameworkComponent, placeComponent } from './snippets.ts'

type Site = { sitekey: string; hostnames: readonly string[] }

/** What to do for a site, with its key filled in. */
export function SiteSnippets({
  site,
  language,
  onLanguage,
  hasEnv = false,
}: {
  site: Site
  language: Backend
  onLanguage: (language: Backend) => void
  /** Whether `.env` with the secret key was just saved: another one without it would replace it. */
  hasEnv?: boolean
}) {
  return (
    <Tabs
      label="Language"
      value={language}
      onChange={(chosen) => {
        rememberBackend(chosen)
        onLanguage(chosen)
      }}
      tabs={BACKENDS}
    >
      {language === 'wordpress' ? (
        <WordPressSteps sitekey={site.sitekey} />
      ) : language === 'curl' ? (
        <CompleteCode site={site} language={language} open />
      ) : (
        <SdkSteps key={language} site={site} language={language} hasEnv={hasEnv} />
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

/** The hostname for sample code: of production rather than localhost, and a name rather than an IP address. */
const mainHostname = ({ hostnames }: Site): string =>
  hostnames.find((name) => /[a-z]/.test(name) && name !== 'localhost') ??
  hostnames.find((name) => /[a-z]/.test(name)) ??
  hostnames[0] ??
  'localhost'

/** The program of the quick start with the site's keys, and the complete code behind it. */
function SdkSteps({ site, language, hasEnv }: { site: Site; language: keyof typeof SDKS; hasEnv: boolean }) {
  const { file, program, install, run } = QUICK_STARTS[language]
  const command = useInstallCommands()[language] ?? '…'
  const code = { name: file, text: program(mainHostname(site)) }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-13 text-ink-2">
        {hasEnv ? (
          <>
            Install the SDK, save one file beside the <Code>.env</Code> with the site’s keys, and run it.
          </>
        ) : (
          'Save two files in an empty folder, and run the commands.'
        )}
      </p>
      <FoldedSnippets
        open
        snippets={
          hasEnv
            ? [{ name: 'Install', text: install(command) }, code, { name: 'Run', text: run }]
            : [
                { name: '.env (add the secret key)', text: envFile(location.origin, site.sitekey) },
                code,
                { name: 'Install and run', text: `${install(command)}\n${run}` },
              ]
        }
      />
      <Disclosure title="Code for production">
        <p className="text-13 text-ink-2">
          Stores the attempts in your database.{' '}
          <DocsLink page={`sdk-${language}`} before="See " after=".">
            the SDK for {SDKS[language]}
          </DocsLink>
        </p>
        <CompleteCode site={site} language={language} />
      </Disclosure>
    </div>
  )
}

/** The calls and the component, with the site's key and hostname. */
function CompleteCode({ site, language, open = false }: { site: Site; language: Language; open?: boolean }) {
  const { sitekey } = site
  const hostname = mainHostname(site)
  const { origin } = location
  const { tables, open: openIntent, redeem } = backendSnippets(language, { origin, hostname, sitekey })
  const install = useInstallCommands()
  const snippets = [
    ...(language === 'curl' ? [] : [{ name: 'Your backend: install the SDK', text: install[language] ?? '…' }]),
    ...(tables === undefined ? [] : [{ name: 'Your database (SQL)', text: tables }]),
    { name: 'Your backend, before the form is shown: open an intent', text: openIntent },
    { name: 'Your page: place the component (HTML)', text: placeComponent(origin, sitekey) },
    {
      name: 'Or your page in React, Vue or Svelte: install the package',
      text: frameworkComponent(install.widget ?? '…', origin, sitekey),
    },
    { name: 'Your backend, when the form is submitted: redeem the token', text: redeem },
  ]
  return <FoldedSnippets open={open} snippets={snippets} />
}
