import { useMutation, useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/Button.tsx'
import { Code } from '../ui/Code.tsx'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { listingOf } from '../ui/listing.ts'
import { whole } from '../ui/number.ts'
import { Section } from '../ui/Page.tsx'
import { Time } from '../ui/Time.tsx'
import { toast } from '../ui/toast.ts'
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

/** Hostnames for which the site's own backend was refused an intent, each with the way to allow it. */
export function RefusedHostnames() {
  const refused = useQuery(trpc.hostnames.refused.queryOptions(useSiteInput(), { refetchInterval: REFRESH_MS }))
  return (
    <Section
      title="Refused lately"
      description="Intents and pages on these were refused in the last 7 days, because they are not on the list. The latest 20; of a flood only some are counted."
    >
      <DataTable
        label="Hostnames refused lately"
        list={listingOf(refused)}
        columns={columns}
        rowKey={({ hostname }) => hostname}
        empty={
          <EmptyState title="Nothing was refused">
            When your backend opens an intent for a hostname that is not on the list, it appears here, with a button to
            allow it.
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
        toast(`${hostname} is allowed`, { undo: () => remove.mutate({ ...input, hostname }) })
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
