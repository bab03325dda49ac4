import { useMutation, useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Section } from '../ui/page/Page.tsx'
import { type Column, DataTable, singlePage } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { whole } from '../ui/text/format.ts'
import { Code } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import { refreshHostnames } from './refreshHostnames.ts'
import { useSiteInput } from './useSite.ts'

const REFRESH_MS = 10_000

type Refused = inferOutput<typeof trpc.hostnames.refused>[number]

const columns: readonly Column<Refused>[] = [
  { header: 'Hostname', width: 'wide', cell: ({ hostname }) => <Code>{hostname}</Code> },
  { header: 'Times', align: 'right', cell: ({ count }) => whole(count) },
  { header: 'Last', cell: ({ lastAt }) => <Time at={lastAt} as="relative" /> },
  { header: 'Action', hidden: true, align: 'right', cell: ({ hostname }) => <Allow hostname={hostname} /> },
]

/** Recently refused hostnames, each with a button that allows it. */
export function RefusedHostnames() {
  const refused = useQuery(trpc.hostnames.refused.queryOptions(useSiteInput(), { refetchInterval: REFRESH_MS }))
  return (
    <Section
      title="Recently refused"
      description="Refused in the last 7 days because they are not on the list. The latest 20; counts are sampled during floods."
    >
      <DataTable
        label="Recently refused hostnames"
        list={singlePage(refused)}
        columns={columns}
        rowKey={({ hostname }) => hostname}
        empty={
          <EmptyState title="No refused hostnames">
            Hostnames that your backend uses but that are not on the list appear here, with a button to allow them.
          </EmptyState>
        }
      />
    </Section>
  )
}

function Allow({ hostname }: { hostname: string }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const remove = useMutation(trpc.hostnames.remove.mutationOptions({ onSuccess: refreshHostnames }))
  const allow = useMutation(
    trpc.hostnames.add.mutationOptions({
      onSuccess: async () => {
        toast(`${hostname} allowed`, { undo: () => remove.mutate({ ...input, hostname }) })
        await refreshHostnames()
      },
    }),
  )
  return (
    <Button
      size="small"
      busy={allow.isPending}
      reason={whyNot('hostname.write')}
      onClick={() => allow.mutate({ ...input, hostname })}
      aria-label={`Allow ${hostname}`}
    >
      Allow
    </Button>
  )
}
