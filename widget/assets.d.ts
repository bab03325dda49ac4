/// <reference types="vite/client" />

/** The path of solver.worker.ts, built as a file of its own, relative to widget.js (see vite.config.ts). */
declare module '*/solver.file' {
  const path: string
  export default path
}
