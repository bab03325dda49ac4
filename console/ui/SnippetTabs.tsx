import { useState } from 'react'
import { Snippet } from './Snippet.tsx'
import { Tabs } from './Tabs.tsx'

/** The same thing in several languages, one at a time. */
export function SnippetTabs({
  label,
  snippets,
}: {
  label: string
  /** Text by the language's name. */
  snippets: Readonly<Record<string, string>>
}) {
  const languages = Object.keys(snippets)
  const [chosen, setChosen] = useState(languages[0] ?? '')
  return (
    <Tabs
      label={label}
      value={chosen}
      onChange={setChosen}
      tabs={Object.fromEntries(languages.map((language) => [language, language]))}
    >
      <Snippet name={`${label}: ${chosen}`} text={snippets[chosen] ?? ''} />
    </Tabs>
  )
}
