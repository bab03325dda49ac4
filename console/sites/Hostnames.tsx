import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Section } from '../ui/page/Page.tsx'
import { type Column, DataTable } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import { AddHostname } from './AddHostname.tsx'
import { Permitted } from './Permitted.tsx'
import { RefusedHostnames } from './RefusedHostnames.tsx'
import { refreshHostnames } from './refreshHostnames.ts'
import { useSiteInput } from './useSite.ts'

type Row = inferOutput<typeof trpc.hostnames.list>['rows'][number]

const columns: readonly Column<Row>[] = [
  { header: 'Hostname', width: 'wide', cell: ({ hostname }) => <Code>{hostname}</Code> },
  { header: 'Added', cell: ({ createdAt }) => <Time at={createdAt} as="relative" /> },
  { header: 'Action', hidden: true, align: 'right', cell: ({ hostname }) => <Remove hostname={hostname} /> },
]

/** The allowed hostnames, and the recently refused ones. */
export function Hostnames() {
  return (
    <Permitted to="hostname.read" title="You don’t have access to hostnames">
      <OwnHostnames />
    </Permitted>
  )
}

function OwnHostnames() {
  const input = useSiteInput()
  const hostnames = useInfiniteQuery(
    trpc.hostnames.list.infiniteQueryOptions(input, { getNextPageParam: ({ nextCursor }) => nextCursor }),
  )
  return (
    <>
      <Section
        title="Allowed hostnames"
        description="List every host that shows the form, exactly: www.shop.example is not shop.example. Changes take effect within 10 seconds."
      >
        <div className="grid gap-4">
          <AddHostname />
          <DataTable
            label="Allowed hostnames"
            list={hostnames}
            columns={columns}
            rowKey={({ hostname }) => hostname}
            empty={
              <EmptyState title="No hostnames yet">
                Verifications are refused until there is one. Add the host of your page, or <Code>localhost</Code> for a
                first test.
              </EmptyState>
            }
          />
        </div>
      </Section>
      <RefusedHostnames />
    </>
  )
}

function Remove({ hostname }: { hostname: string }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const add = useMutation(
    trpc.hostnames.add.mutationOptions({
      onSuccess: async () => {
        toast(`${hostname} restored`)
        await refreshHostnames()
      },
    }),
  )
  const remove = useMutation(
    trpc.hostnames.remove.mutationOptions({
      onSuccess: async () => {
        toast(`${hostname} removed`, {
          description: 'Verifications on it are now refused.',
          undo: () => add.mutate({ ...input, hostname }),
        })
        await refreshHostnames()
      },
    }),
  )
  return (
    <Button
      size="small"
      busy={remove.isPending}
      reason={whyNot('hostname.write')}
      onClick={() => remove.mutate({ ...input, hostname })}
      aria-label={`Remove ${hostname}`}
    >
      Remove
    </Button>
  )
}
