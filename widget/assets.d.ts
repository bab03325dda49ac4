/// <reference types="vite/client" />

/** The path of the folder with the solver's files, relative to widget.js (see build/solver.ts). */
declare module '*/solver/folder' {
  const path: string
  export default path
}

/** The search for a nonce, written by build/write.ts. */
declare module 'search:javascript' {
  /** How far after `start` the first nonce is, among `tries`, that solves the table's puzzle, or −1. */
  export function search(table: Int32Array, start: number, tries: number): number
}

/** The path of the folder with the texts as files of their own, relative to widget.js (see build/text.ts). */
declare module '*/text/folder' {
  const path: string
  export default path
}

/** The English text, as a list (see build/text.ts). */
declare module '*/text/english' {
  const text: import('./language.ts').Text
  export default text
}
