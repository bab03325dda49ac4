import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { DocsLink } from '../frame/DocsLink.tsx'
import { WithPermission } from '../frame/Permitted.tsx'
import { useTenant } from '../frame/useTenant.ts'
import { networkColumns } from '../networks/columns.tsx'
import { type NetworkRow, type Rule, RuleSheet } from '../networks/RuleSheet.tsx'
import { PAGED, trpc, trpcClient } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Section } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { useSiteInput } from './api.ts'

/** The site's list of networks. */
export function Networks() {
  return (
    <WithPermission permission="network.read" title="You don’t have access to networks">
      <NetworkList />
    </WithPermission>
  )
}

const columns: readonly Column<NetworkRow>[] = [
  ...networkColumns('Note'),
  column('Action', (row) => <RuleActions row={row} />, { hidden: true, align: 'right' }),
]

function NetworkList() {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const [adding, setAdding] = useState(false)
  const networks = useInfiniteQuery(trpc.networks.list.infiniteQueryOptions(input, PAGED))
  return (
    <Section
      title="Networks"
      description={
        <>
          Networks that you trust, or do not. If several match, the most specific one wins; the operator of this service
          has a list too. Changes take effect within 10 seconds. <DocsLink page="limits#networks">Docs</DocsLink>
        </>
      }
      actions={
        <Button look="primary" reason={whyNot('settings.write')} onClick={() => setAdding(true)}>
          <Plus size={14} aria-hidden />
          Add network
        </Button>
      }
    >
      <Table
        label="Networks"
        list={networks}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No networks yet">
            All visitors are treated alike. Add the network of an office whose people share one address, or that of a
            datacenter that sends you bots.
          </EmptyState>
        }
      />
      {adding && <SiteRuleSheet rule={undefined} onClose={() => setAdding(false)} />}
    </Section>
  )
}

function SiteRuleSheet({ rule, onClose }: { rule: Rule | undefined; onClose: () => void }) {
  const input = useSiteInput()
  return (
    <RuleSheet
      onClose={onClose}
      rule={rule}
      save={(values) => trpcClient.networks[rule ? 'change' : 'add'].mutate({ ...input, ...values })}
      preview={(network) => trpcClient.networks.preview.query({ ...input, network })}
      note={{ label: 'Note', hint: 'For your team: what this network is. Optional.', least: 0 }}
    />
  )
}

function RuleActions({ row }: { row: NetworkRow }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const [changing, setChanging] = useState(false)
  const { network, verdict, note } = row
  const add = useMutation(
    trpc.networks.add.mutationOptions({
      onSuccess: () => toast(`${network} restored`),
    }),
  )
  const remove = useMutation(
    trpc.networks.remove.mutationOptions({
      onSuccess: () => toast(`${network} removed`, { undo: () => add.mutate({ ...input, network, verdict, note }) }),
    }),
  )
  const reason = whyNot('settings.write')
  return (
    <span className="inline-flex gap-2">
      <Button size="small" reason={reason} onClick={() => setChanging(true)} aria-label={`Change ${network}`}>
        Change
      </Button>
      <Button
        size="small"
        busy={remove.isPending}
        reason={reason}
        onClick={() => remove.mutate({ ...input, network })}
        aria-label={`Remove ${network}`}
      >
        Remove
      </Button>
      {changing && <SiteRuleSheet rule={row} onClose={() => setChanging(false)} />}
    </span>
  )
}
