import { Code } from './Snippet.tsx'

/** A text of the contract, as the docs show it: what is between backticks is code. */
export const Sentence = ({ text }: { text: string }) =>
  // the parts never change their order
  // oxlint-disable-next-line react/no-array-index-key
  text.split('`').map((part, index) => (index % 2 === 0 ? part : <Code key={index}>{part}</Code>))
