import type { ReactNode } from 'react'
import { OuterLink } from '../ui/text/Link.tsx'
import { useDocsUrl } from './deployment.ts'

/** A link to a page of the docs, with the words around it; nothing if this deployment serves no docs. */
export function DocsLink({
  page,
  before = '',
  after = '',
  children,
}: {
  /** Below /docs, such as `limits#networks`; empty for the start page. */
  page: string
  before?: ReactNode
  after?: ReactNode
  children: ReactNode
}) {
  const url = useDocsUrl()
  if (url === null) return null
  return (
    <>
      {before}
      <OuterLink href={page === '' ? url : `${url}/${page}`}>{children}</OuterLink>
      {after}
    </>
  )
}
