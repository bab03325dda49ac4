import type { ComponentProps } from 'react'

type Look = 'primary' | 'secondary'

const SHAPE =
  'inline-flex h-9 items-center justify-center gap-2 rounded-control border px-3.5 text-13 font-semibold whitespace-nowrap transition-colors'

const LOOKS = {
  primary: 'border-brand bg-brand text-on-brand hover:border-brand-ink hover:bg-brand-ink',
  secondary: 'border-line-strong bg-surface text-ink hover:bg-sunken',
} satisfies Record<Look, string>

/** For what happens on this page. At most one primary in view. */
export function Button({ look = 'secondary', ...rest }: Omit<ComponentProps<'button'>, 'className'> & { look?: Look }) {
  return <button type="button" className={`${SHAPE} ${LOOKS[look]}`} {...rest} />
}

/** For what leads elsewhere. */
export function ButtonLink({
  look = 'secondary',
  children,
  ...rest
}: Omit<ComponentProps<'a'>, 'className'> & { look?: Look }) {
  return (
    <a className={`${SHAPE} ${LOOKS[look]}`} {...rest}>
      {children}
    </a>
  )
}
