import { useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { trpc } from '../trpc.ts'
import { Section } from '../ui/page/Page.tsx'
import { type Column, DataTable, singlePage } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { useSiteInput } from './useSite.ts'

type TestKey = inferOutput<typeof trpc.sites.integration>['testKeys'][number]

const columns: readonly Column<TestKey>[] = [
  {
    header: 'Site key',
    width: 'narrow',
    cell: ({ sitekey }) => <CopyText text={sitekey} name={`site key ${sitekey}`} />,
  },
  {
    header: 'Secret',
    cell: ({ name, sitekey, secret }) => (
      <CopyText text={secret} name={`secret of ${sitekey}`} shown={`tg_secret_${name}…${secret.slice(-6)}`} />
    ),
  },
  { header: 'What it does', cell: behaviour },
]

/** The public test keys. */
export function TestKeys() {
  const integration = useQuery(trpc.sites.integration.queryOptions(useSiteInput()))
  return (
    <Section
      title="Test keys"
      description="Free keys for testing on any hostname. Each always gives the same result. Their secrets are public, so they protect nothing."
    >
      <DataTable
        label="Test keys"
        list={singlePage({ ...integration, data: integration.data?.testKeys })}
        columns={columns}
        rowKey={({ sitekey }) => sitekey}
        empty={<EmptyState title="No test keys">The operator of this deployment turned them off.</EmptyState>}
      />
    </Section>
  )
}

function behaviour({ name, refuses }: TestKey) {
  if (refuses === null) return `The real flow, with ${name === 'TESThard' ? 'high' : 'minimal'} difficulty.`
  return (
    <>
      <Code>/{refuses.at}</Code> always returns <Code>{refuses.code}</Code>.
    </>
  )
}
