import { useQuery } from '@tanstack/react-query'
import { BookOpen } from 'lucide-react'
import * as z from 'zod/mini'
import type { Command } from './CommandPalette.tsx'
import { useDocsUrl } from './deployment.ts'

/** The index of the docs: a page or a heading each. `path`: below the docs, such as `feedback#corrections`. */
const index = z.array(z.object({ path: z.string(), title: z.string(), heading: z.optional(z.nullable(z.string())) }))

/** Commands that open the headings of the docs; none if this deployment serves no docs, or no index of them. */
export function useDocsHeadings(): Command[] {
  const docsUrl = useDocsUrl()
  const { data = [] } = useQuery({
    queryKey: ['docs-search', docsUrl],
    queryFn: async ({ signal }) => {
      const reply = await fetch(`${docsUrl}/search.json`, { signal })
      if (!reply.ok) return []
      const { data } = index.safeParse(await reply.json().catch(() => null))
      return data ?? []
    },
    enabled: docsUrl !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data.map(({ path, title, heading }) => ({
    id: `docs-${path}-${heading ?? ''}`,
    label: heading && heading !== title ? `${title}: ${heading}` : title,
    icon: BookOpen,
    deep: true,
    run: () => location.assign(path.startsWith('/') ? path : `${docsUrl}/${path}`),
  }))
}
