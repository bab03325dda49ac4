import { useQuery } from '@tanstack/react-query'
import type { RefusalFilters } from '../../server/contract/filters.ts'
import { useSiteNames, useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import type { Range } from '../ui/form/period.ts'
import { ChoiceFilter, FilterChips, FilterSheet, TextFilter, textFilterLabel } from '../ui/table/Filters.tsx'

type Props = { filters: RefusalFilters; onChange: (filters: RefusalFilters) => void }

/** The types of refusals in the period, most frequent first. */
export function useRefusalTypes(range: Range, site: string | undefined) {
  const { slug } = useTenant()
  return useQuery(
    trpc.refusals.groups.queryOptions(
      { tenant: slug, ...range, ...(site && { site }) },
      { placeholderData: (shown) => shown },
    ),
  )
}

/** The active filters of the refusals, each with a button that removes it. */
export function RefusalChips({ filters, onChange }: Props) {
  const sites = useSiteNames()
  const { site, code, field, endpoint, hostname, reference, request } = filters
  const labels: Record<keyof RefusalFilters, string | undefined> = {
    site: site && `Site: ${sites[site] ?? 'one site'}`,
    code: code && `Code: ${wireCode(code)}`,
    field: field && `Field: ${field}`,
    endpoint: endpoint && `Endpoint: ${endpoint}`,
    hostname: hostname && textFilterLabel('Host', hostname),
    reference: reference && `Reference: ${reference}`,
    request: request && `Request: ${request}`,
  }
  return (
    <FilterChips
      labels={labels}
      onRemove={(name) => onChange({ ...filters, [name]: undefined })}
      onClear={() => onChange({})}
    />
  )
}

/** A button that opens the filters of the refusals. Codes and endpoints are those of the period; `hostnames` are suggested. */
export function RefusalFilterSheet({
  range,
  filters,
  hostnames,
  onChange,
}: Props & { range: Range; hostnames: readonly (string | null)[] | undefined }) {
  const sites = useSiteNames()
  const types = useRefusalTypes(range, undefined).data ?? []
  const codes = occurring([filters.code, ...types.map(({ code }) => code)], wireCode)
  const endpoints = occurring([filters.endpoint, ...types.map(({ endpoint }) => endpoint)], String)
  return (
    <FilterSheet noun="refusals" filters={filters} onChange={(next) => onChange(normalized(next))}>
      {(draft, set) => (
        <>
          <ChoiceFilter label="Site" words={sites} value={draft.site} onChange={(site) => set({ site })} />
          <ChoiceFilter
            label="Code"
            words={codes}
            value={draft.code}
            onChange={(code) => set({ code, field: undefined })}
          />
          <ChoiceFilter
            label="Endpoint"
            words={endpoints}
            value={draft.endpoint}
            onChange={(endpoint) => set({ endpoint })}
          />
          <TextFilter
            label="Host"
            hint="All of it, or a part."
            seen={hostnames}
            value={draft.hostname}
            onChange={(hostname) => set({ hostname })}
          />
          <TextFilter
            label="Reference"
            hint="The eight digits that a visitor sees."
            value={draft.reference}
            onChange={(reference) => set({ reference })}
          />
        </>
      )}
    </FilterSheet>
  )
}

const wireCode = (code: string): string => (code === 'bad-field' ? 'bad-request (field)' : code)

/** The values that are given, once each, with their words. */
const occurring = (values: (string | undefined)[], words: (value: string) => string): Record<string, string> =>
  Object.fromEntries(values.flatMap((value) => (value === undefined ? [] : [[value, words(value)]])))

/** What is not a reference finds nothing. */
const normalized = ({ reference, ...rest }: RefusalFilters): RefusalFilters => ({
  ...rest,
  reference: /[0-9a-f]{8}$/.exec(reference?.trim().toLowerCase() ?? '')?.[0],
})
