import { type ReactNode, useId, useState } from 'react'
import { Copy } from './Copy.tsx'

/** Inline code. Wraps anywhere, so that it never widens a narrow page. */
export function Code({ children }: { children: ReactNode }) {
  return <code className="font-mono text-13 wrap-anywhere text-ink">{children}</code>
}

/** A text of the contract, as the docs show it: what is between backticks is code. */
export const Sentence = ({ text }: { text: string }) =>
  // the parts never change their order
  // oxlint-disable-next-line react/no-array-index-key
  text.split('`').map((part, index) => (index % 2 === 0 ? part : <Code key={index}>{part}</Code>))

/** A code block with a name and a copy button. Long lines wrap. */
export function Snippet({ name, text }: { name: string; text: string }) {
  return (
    <figure className="overflow-hidden rounded-panel border border-line bg-surface">
      <figcaption className="flex items-center justify-between border-b border-line py-2 pr-2 pl-4 text-12 text-ink-2">
        {name}
        <Copy text={text} name={name} />
      </figcaption>
      <Block name={name} text={text} />
    </figure>
  )
}

/** Code blocks of which at most one is open; each can be copied without it. `open`: whether the first one is at first. */
export function FoldedSnippets({
  snippets,
  open,
}: {
  snippets: readonly { name: string; text: string }[]
  open: boolean
}) {
  const group = useId()
  const [isOpen] = useState(open)
  return (
    <div className="divide-y divide-line overflow-hidden rounded-panel border border-line bg-surface">
      {snippets.map(({ name, text }, index) => (
        <div key={name} className="relative">
          <details name={group} open={isOpen && index === 0}>
            <summary className="cursor-pointer py-2.5 pr-24 pl-4 text-13 font-medium -outline-offset-2 hover:bg-sunken">
              {name}
            </summary>
            <div className="border-t border-line">
              <Block name={name} text={text} />
            </div>
          </details>
          {/* outside of the summary, which is a button itself */}
          <div className="absolute top-2.5 right-2">
            <Copy text={text} name={name} />
          </div>
        </div>
      ))}
    </div>
  )
}

/** A longer text scrolls, so that what follows it is in view. */
const MOST_LINES = 30

function Block({ name, text }: { name: string; text: string }) {
  const code = (
    <pre className="px-4 py-3 font-mono text-12 whitespace-pre-wrap wrap-anywhere text-ink">
      <code>{text}</code>
    </pre>
  )
  if (text.split('\n').length <= MOST_LINES) return code
  return (
    // what scrolls has to be reached by keys, in Safari too
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section aria-label={name} tabIndex={0} className="max-h-96 overflow-y-auto -outline-offset-2">
      {code}
    </section>
  )
}
