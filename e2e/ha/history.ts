import { type FileHandle, open } from 'node:fs/promises'

/** A call of /siteverify before it is sent, or its answer. `ms`: of a clock that only goes forward. `text`: the answer's body. */
export type Entry = { kind: 'attempt' | 'answer'; ms: number; intent: string; status?: number; text?: string }

/**
 * The test's own record of redemptions: a file of JSON lines that only grows. Each line is on the disk before `write`
 * resolves, so an attempt is recorded before its request leaves, and an answer before anything follows from it.
 */
export class History {
  readonly entries: Entry[] = []
  readonly #file: FileHandle

  private constructor(file: FileHandle) {
    this.#file = file
  }

  /** Throws if the file exists: the history of another run would mix with this one. */
  static async open(path: string): Promise<History> {
    return new History(await open(path, 'ax'))
  }

  async write(entry: Omit<Entry, 'ms'>): Promise<void> {
    const line = { ...entry, ms: performance.now() }
    this.entries.push(line)
    await this.#file.appendFile(`${JSON.stringify(line)}\n`)
    await this.#file.datasync()
  }

  /** When redemptions were acknowledged. */
  acknowledgements(): number[] {
    return this.entries.flatMap(({ kind, status, ms }) => (kind === 'answer' && status === 200 ? [ms] : []))
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
