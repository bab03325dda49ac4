'use client'

import {
  createElement,
  type HTMLAttributes,
  type ReactElement,
  type RefCallback,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { type Attachment, attach, attributesOf, type TollgateOptions } from './attach.ts'

export type { TollgateOptions } from './attach.ts'

export interface TollgateProps extends TollgateOptions {
  className?: string
}

/** What the component renders into the element, React must not change. */
const CONTENT = { __html: '' }

/** The token of a component, and the properties of the `div` that it is shown in. */
export function useTollgate(options: TollgateProps): {
  /** The token, or an empty string while there is none. */
  value: string
  /** Starts again, with a new intent if `intent` is a function. */
  reset: () => void
  props: HTMLAttributes<HTMLDivElement> & { ref: RefCallback<HTMLDivElement> }
} {
  const [value, setValue] = useState('')
  const latest = useRef(options)
  const attachment = useRef<Attachment | undefined>(undefined)
  const [element, ref] = useState<HTMLDivElement | null>(null)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    if (!element) return undefined
    const attached = attach(element, () => latest.current, setValue)
    attachment.current = attached
    return attached.detach
  }, [element])
  const reset = useCallback(() => attachment.current?.reset(), [])
  const { class: name, ...attributes } = attributesOf(options)
  const className = [name, options.className].filter(Boolean).join(' ') || undefined
  return {
    value,
    reset,
    props: { ref, className, ...attributes, suppressHydrationWarning: true, dangerouslySetInnerHTML: CONTENT },
  }
}

export function Tollgate(props: TollgateProps): ReactElement {
  return createElement('div', useTollgate(props).props)
}
