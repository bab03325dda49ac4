import { createHash, type Hash } from 'node:crypto'

/**
 * A backup is a gzipped sequence of frames: a letter, the length of the payload in 4 bytes, the payload. One `header`, then for
 * each table `table`, its rows as `data` in the text format of COPY and `end`, and at last `checksum`: SHA-256 of all bytes before.
 */
export const KINDS = { header: 'H', table: 'T', data: 'D', end: 'E', checksum: 'Z' } as const
export type Kind = keyof typeof KINDS
export type Frame = { kind: Kind; payload: Buffer }

/** What is known about a backup before its rows. `key`: tells whether the sealing keys are those of the backup. */
export type Header = {
  format: 1
  version: string
  createdAt: string
  migrations: { name: string; checksum: string }[]
  key: string
}
export type TableHeader = { table: string; columns: string[] }
export type TableEnd = { rows: number }

const HEAD_BYTES = 5
/** Chunks of a COPY are far smaller; more is a damaged length. */
const MAX_BYTES = 64 * 1024 * 1024

/** The file is not a complete backup. */
export class DamagedBackup extends Error {
  constructor(what: string) {
    super(`it is damaged or not a complete backup (${what})`)
  }
}

/** Encodes frames, and the checksum over those so far. */
export class FrameEncoder {
  readonly #hash: Hash = createHash('sha256')

  encode(kind: Exclude<Kind, 'checksum'>, payload: Buffer | object): Buffer {
    const frame = encode(kind, Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload)))
    this.#hash.update(frame)
    return frame
  }

  end(): Buffer {
    return encode('checksum', this.#hash.digest())
  }
}

function encode(kind: Kind, payload: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(KINDS[kind], 'latin1')
  head.writeUInt32BE(payload.length, 1)
  return Buffer.concat([head, payload])
}

const BY_LETTER = new Map<string, Kind>(Object.entries(KINDS).map(([kind, letter]) => [letter, kind as Kind]))

/** The frames of a stream, without the checksum, which is compared. Throws DamagedBackup, also when the stream ends without it. */
export async function* readFrames(stream: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  const hash = createHash('sha256')
  let rest: Buffer = Buffer.alloc(0)
  let checked = false
  for await (const chunk of stream) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= HEAD_BYTES) {
      const kind = BY_LETTER.get(rest.toString('latin1', 0, 1))
      const length = rest.readUInt32BE(1)
      if (kind === undefined || length > MAX_BYTES) throw new DamagedBackup('unknown content')
      if (rest.length < HEAD_BYTES + length) break
      if (checked) throw new DamagedBackup('content after the end')
      const payload = rest.subarray(HEAD_BYTES, HEAD_BYTES + length)
      if (kind === 'checksum') {
        if (!hash.digest().equals(payload)) throw new DamagedBackup('the checksum is another')
        checked = true
      } else {
        hash.update(rest.subarray(0, HEAD_BYTES + length))
        yield { kind, payload }
      }
      rest = rest.subarray(HEAD_BYTES + length)
    }
  }
  if (!checked || rest.length > 0) throw new DamagedBackup('the end is missing')
}
