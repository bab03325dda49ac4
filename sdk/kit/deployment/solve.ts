import { createHash } from 'node:crypto'
import { EMITTER_MODULE } from '../../../hashwx/emitterModule.ts'

/** The kinds of challenge that `solvePuzzles` solves. */
export const KINDS = ['pow-hashwx', 'pow-sha256']

type Find = (start: number, tries: number) => number

const TRIES = 65_536
/** Where an emitted module begins: hashwx/assembly/layout.ts. */
const OUTPUT = 8192

/** The solution of a challenge's body, as the contract describes it. */
export function solvePuzzles(puzzle: Record<string, unknown>): string {
  const seed = Buffer.from(String(puzzle['seed']), 'hex')
  const count = Number(puzzle['count'])
  const target = Number(puzzle['target'])
  const span = Number(puzzle['span'])
  const prepare = puzzle['kind'] === 'pow-hashwx' ? startHashwx(seed, target, span) : startSha256(seed, target)
  const solution = Buffer.alloc(count * 4)
  for (let index = 0; index < count; index++) {
    const find = prepare(index)
    let nonce = -1
    for (let start = 0; nonce < 0; start += TRIES) nonce = find(start, TRIES)
    solution.writeUInt32BE(nonce, index * 4)
  }
  return solution.toString('base64url')
}

function startSha256(seed: Buffer, target: number): (index: number) => Find {
  const message = Buffer.concat([seed, Buffer.alloc(8)])
  return (index) => {
    message.writeUInt32BE(index, 16)
    return (start, tries) => {
      for (let nonce = start; nonce < start + tries; nonce++) {
        message.writeUInt32BE(nonce, 20)
        if (createHash('sha256').update(message).digest().readUInt32BE(0) < target) return nonce
      }
      return -1
    }
  }
}

type Emitter = {
  memory: { buffer: ArrayBuffer }
  emit: (index: number, target: number, span: number) => number
}
type Emitted = { search: (index: number, start: number, tries: number, target: number) => number }

const load = (bytes: Uint8Array): object => new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports

/** As the component does it: hashwx/assembly/emitter.ts says what the modules take and return. */
function startHashwx(seed: Buffer, target: number, span: number): (index: number) => Find {
  const { memory, emit } = load(Buffer.from(EMITTER_MODULE, 'base64')) as Emitter
  new Uint8Array(memory.buffer).set(Buffer.from(seed).swap32())
  let program: Emitted | undefined
  return (index) => {
    const end = emit(index, target, span)
    if (end > 0) program = load(new Uint8Array(memory.buffer.slice(OUTPUT, end))) as Emitted
    return (start, tries) => program?.search(index, start, tries, target) ?? -1
  }
}
