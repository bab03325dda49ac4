import { Code } from '../ui/text/Snippet.tsx'
import { businessWords } from './words.ts'

/** How a decision was found to be what a report says: in words if they are known, otherwise as the merchant sent it. */
export const BusinessType = ({ is }: { is: string }) => businessWords(is) ?? <Code>{is}</Code>
