import { useQuery } from '@tanstack/react-query'
import { trpc } from '../trpc.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Panel, Skeleton } from '../ui/page/Page.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { counted } from '../ui/text/format.ts'
import { Pill } from '../ui/text/Pill.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'

const REFRESH_MS = 5000

/** The operator's file as the node that answers has loaded it. */
export function NetworksFile() {
  const file = useQuery(trpc.staff.networks.file.queryOptions(undefined, { refetchInterval: REFRESH_MS }))
  const { data } = file
  return (
    <Panel title="The operator’s file" description="Ranges of datacenters and providers, as this node has loaded them.">
      {file.error && data === undefined ? (
        <ErrorPanel error={file.error} retrying={file.isFetching} onRetry={() => void file.refetch()} />
      ) : data === undefined ? (
        <Skeleton width="long" />
      ) : data === null ? (
        <p className="text-13 text-ink-2">
          There is none. The operator can name one with the setting <Code>NETWORKS_FILE</Code>.
        </p>
      ) : (
        <Facts>
          <Fact name="Path">
            <span className="font-mono text-12 wrap-anywhere">{data.path}</span>
          </Fact>
          <Fact name="Ranges">{counted(data.ranges, 'range')}</Fact>
          <Fact name="Loaded">{data.loadedAt === null ? 'Not yet' : <Time at={data.loadedAt} as="relative" />}</Fact>
          <Fact name="State">
            {data.error ? (
              <>
                <Pill tone="block">Has an error</Pill>
                <span className="mt-1 block">
                  Refused <Time at={data.error.at} as="relative" />, {data.error.message}{' '}
                  {data.loadedAt === null
                    ? 'Nothing was loaded before.'
                    : 'The ranges that were loaded before stay in use.'}
                </span>
              </>
            ) : (
              <Pill tone="pass">Up to date</Pill>
            )}
          </Fact>
        </Facts>
      )}
    </Panel>
  )
}
