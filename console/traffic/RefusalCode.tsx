import { errorName } from './words.ts'

/** The error code as in the API's response, with the field if there is one. */
export function RefusalCode({ code, field }: { code: string; field: string | null }) {
  return <span className="font-mono text-12 lg:whitespace-nowrap">{errorName(code, field)}</span>
}
