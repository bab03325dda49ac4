import { zodResolver } from '@hookform/resolvers/zod'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { networkColumns } from '../networks/columns.tsx'
import { type NetworkRow, type Rule, RuleSheet } from '../networks/RuleSheet.tsx'
import { PAGED, trpc, trpcClient } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { field } from '../ui/form/Form.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Page, Section } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { FindNetwork } from './FindNetwork.tsx'
import { ReasonField, reasonShape } from './ReasonField.tsx'

const HINT = 'Shown on this list and in the audit of staff. Include the ticket.'

const columns: readonly Column<NetworkRow>[] = [
  ...networkColumns('Reason'),
  column('Action', (row) => <RuleActions row={row} />, { hidden: true, align: 'right' }),
]

/** The deployment's list of networks, and which networks contain an address; for leads. */
export function Networks() {
  const [adding, setAdding] = useState(false)
  const networks = useInfiniteQuery(trpc.staff.networks.list.infiniteQueryOptions({}, PAGED))
  return (
    <Page
      title="Networks"
      context="Staff"
      description="What all sites do for visitors of a network. If several match, the most specific one wins; of equal ones, the site’s list is used before this one, and this one before the file."
      actions={
        <Button look="primary" onClick={() => setAdding(true)}>
          <Plus size={14} aria-hidden />
          Add network
        </Button>
      }
    >
      <Section title="This deployment’s list" description="Changes take effect on all nodes within 10 seconds.">
        <Table
          label="Networks"
          list={networks}
          columns={columns}
          rowKey={({ id }) => id}
          empty={<EmptyState title="No networks yet">A network that you add here counts for every site.</EmptyState>}
        />
      </Section>
      <FindNetwork />
      {adding && <DeploymentRuleSheet rule={undefined} onClose={() => setAdding(false)} />}
    </Page>
  )
}

function DeploymentRuleSheet({ rule, onClose }: { rule: Rule | undefined; onClose: () => void }) {
  return (
    <RuleSheet
      onClose={onClose}
      rule={rule}
      save={({ note, ...values }) =>
        trpcClient.staff.networks[rule ? 'change' : 'add'].mutate({ ...values, reason: note })
      }
      preview={(network) => trpcClient.staff.networks.preview.query({ network })}
      note={{ label: 'Reason', hint: HINT, least: 3 }}
    />
  )
}

function RuleActions({ row }: { row: NetworkRow }) {
  const [open, setOpen] = useState<'change' | 'remove' | null>(null)
  const { network } = row
  const onClose = () => setOpen(null)
  return (
    <span className="inline-flex gap-2">
      <Button size="small" onClick={() => setOpen('change')} aria-label={`Change ${network}`}>
        Change
      </Button>
      <Button size="small" onClick={() => setOpen('remove')} aria-label={`Remove ${network}`}>
        Remove
      </Button>
      {open === 'change' && <DeploymentRuleSheet rule={row} onClose={onClose} />}
      {open === 'remove' && <RemoveDialog network={network} onClose={onClose} />}
    </span>
  )
}

function RemoveDialog({ network, onClose }: { network: string; onClose: () => void }) {
  const form = useForm({ resolver: zodResolver(z.object({ reason: reasonShape })), defaultValues: { reason: '' } })
  const remove = useMutation(
    trpc.staff.networks.remove.mutationOptions({
      meta: { inline: true },
      onSuccess: () => {
        onClose()
        toast(`${network} removed`)
      },
    }),
  )
  return (
    <FormDialog
      open
      danger
      onClose={onClose}
      title={`Remove ${network}?`}
      description="Its visitors are treated as all others, unless another list has a network that contains theirs."
      submit="Remove"
      mutation={remove}
      onSubmit={form.handleSubmit(({ reason }) => remove.mutate({ network, reason }))}
    >
      <ReasonField hint="Shown in the audit of staff. Include the ticket." {...field(form, 'reason')} />
    </FormDialog>
  )
}
