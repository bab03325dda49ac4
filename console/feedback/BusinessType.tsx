import { businessWords } from './words.ts'

/** How a decision was found to be what a report says: in words if they are known, otherwise as the merchant sent it. */
export const BusinessType = ({ is }: { is: string }) => businessWords(is) ?? <Label is={is} />

/** A label that the merchant chose. In a link it has its colour. */
export const Label = ({ is }: { is: string }) => <code className="font-mono text-12 wrap-anywhere">{is}</code>
