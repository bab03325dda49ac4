import { createHash, createHmac } from 'node:crypto'

/** The sealing key of services that tests start. */
export const TEST_KEY = Buffer.alloc(32, 7)

/** What a node with that key signs a stored file with (server/kit/db/keptFiles.ts), to store one as another version would. */
export const macOfKeptFile = (path: string, content: Uint8Array): Buffer =>
  createHmac('sha256', TEST_KEY)
    .update(`kept file\0${path}\0`)
    .update(createHash('sha256').update(content).digest())
    .digest()
