import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { SDKS } from '../../server/contract/languages.ts'
import { DocsLink } from '../frame/DocsLink.tsx'
import { WithPermission } from '../frame/Permitted.tsx'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Disclosure } from '../ui/page/Disclosure.tsx'
import { Section, Skeleton } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { KeepFocus } from '../ui/table/focus.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { AllowLocalhost } from './AllowLocalhost.tsx'
import { type TestKey, useDoctor, useSite, useSiteInput } from './api.ts'
import { rememberedBackend } from './backends.ts'
import { CheckIntegration } from './CheckIntegration.tsx'
import { Doctor } from './Doctor.tsx'
import { SiteSnippets } from './LanguageTabs.tsx'
import { Playground } from './Playground.tsx'

const route = getRouteApi('/o/$tenant/sites/$site/integrate')

/**
 * The code for what the merchant uses, and the check of its calls. At a site with traffic, mistakes and the check come first, and
 * the code is folded. The playground and the test keys always are.
 */
export function Integrate() {
  const input = useSiteInput()
  const integration = useQuery(trpc.sites.integration.queryOptions(input))
  const doctor = useDoctor(route.useSearch().language)
  const { intents, decisions } = integration.data ?? {}
  return (
    <WithPermission permission="integration.read" title="You don’t have access to the integration">
      {/* what is above the check depends on both */}
      {integration.isPending || doctor.isLoading ? (
        <Skeleton width="long" />
      ) : (
        <Parts key={input.site} hasTraffic={(intents?.lastAt ?? decisions?.lastAt ?? null) !== null} />
      )}
    </WithPermission>
  )
}

/** `hasTraffic`: the parts keep the order of the first time, so that none moves while it is read. */
function Parts({ hasTraffic }: { hasTraffic: boolean }) {
  const { whyNot } = useTenant()
  const input = useSiteInput()
  const [isLive] = useState(hasTraffic)
  return (
    <>
      {isLive ? (
        <Doctor />
      ) : (
        <Section title={SNIPPETS} description={<SnippetsIntroduction />}>
          <Snippets />
        </Section>
      )}
      <CheckIntegration />
      {!isLive && <Doctor />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {isLive && (
          <Disclosure title={SNIPPETS}>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
              <p className="text-13 text-ink-2">
                <SnippetsIntroduction />
              </p>
              <Snippets />
            </div>
          </Disclosure>
        )}
        <Disclosure title="Playground">
          <Playground site={input} reason={whyNot('site.write')} />
        </Disclosure>
        <Disclosure title="Test keys">
          <TestKeys />
        </Disclosure>
      </div>
    </>
  )
}

const SNIPPETS = 'Add it to your form'

const SnippetsIntroduction = (): ReactNode => (
  <>
    With this site’s key; <Code>TOLLGATE_SECRET</Code> is the secret key. <DocsLink page="">Guide</DocsLink>
  </>
)

function Snippets() {
  const { language = rememberedBackend() } = route.useSearch()
  const navigate = route.useNavigate()
  const site = useSite()
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const { data } = useQuery(trpc.sites.integration.queryOptions(input))
  const isNew = data?.intents.lastAt === null
  return (
    <KeepFocus>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {isNew && language in SDKS && !site.hostnames.includes('localhost') && (
          <AllowLocalhost site={input} reason={whyNot('hostname.write')} />
        )}
        <SiteSnippets
          site={site}
          language={language}
          onLanguage={(language) => void navigate({ search: { language }, replace: true })}
        />
      </div>
    </KeepFocus>
  )
}

const testKeyColumns: readonly Column<TestKey>[] = [
  column('Site key', ({ sitekey }) => <CopyText text={sitekey} name={`site key ${sitekey}`} />, { width: 'narrow' }),
  column('Secret', ({ name, sitekey, secret }) => (
    <CopyText text={secret} name={`secret of ${sitekey}`} shown={`tg_secret_${name}…${secret.slice(-6)}`} />
  )),
  column('What it does', describeTestKey),
]

/** The public test keys. */
function TestKeys() {
  const integration = useQuery(trpc.sites.integration.queryOptions(useSiteInput()))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="max-w-136 text-13 text-pretty text-ink-2">
        Free keys for testing on any hostname. Each always gives the same result. Their secrets are public, so they
        protect nothing.
      </p>
      <Table
        label="Test keys"
        list={{ ...integration, data: integration.data?.testKeys }}
        columns={testKeyColumns}
        rowKey={({ sitekey }) => sitekey}
        empty={<EmptyState title="No test keys">The operator of this deployment turned them off.</EmptyState>}
      />
    </div>
  )
}

function describeTestKey({ name, refuses }: TestKey) {
  if (refuses === null) return `The real flow, with ${name === 'TESThard' ? 'high' : 'minimal'} difficulty.`
  return (
    <>
      <Code>/{refuses.at}</Code> always returns <Code>{refuses.code}</Code>.
    </>
  )
}
