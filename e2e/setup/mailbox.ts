import { createServer } from 'node:net'
import { createInterface } from 'node:readline'

/** The mail server that the service is deployed with: takes every letter and keeps it. */
export type Mailbox = {
  /** For SMTP_URL. */
  url: string
  /** Where the newest letter to the address leads; undefined while there is none. `path` tells one kind from another. */
  linkTo(email: string, path: string): string | undefined
  close(): Promise<void>
}

type Email = { to: string; text: string }

export async function openMailbox(): Promise<Mailbox> {
  const letters: Email[] = []
  const server = createServer((socket) => {
    let to = ''
    let lines: string[] | undefined
    socket.on('error', () => {})
    socket.write('220 ready\r\n')
    createInterface({ input: socket }).on('line', (line) => {
      if (lines && line !== '.') return void lines.push(line)
      if (lines) letters.unshift({ to, text: decoded(lines.join('\n')) })
      lines = line === 'DATA' ? [] : undefined
      to = /^RCPT TO:<(.+)>/.exec(line)?.[1] ?? to
      if (line === 'QUIT') socket.end('221 bye\r\n')
      else socket.write(lines ? '354 go on\r\n' : '250 fine\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the mail server has no port')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    linkTo(email, path) {
      const links = letters.filter(({ to }) => to === email).flatMap(({ text }) => text.match(/http:\S+/)?.[0] ?? [])
      return links.find((link) => new URL(link).pathname === path)
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Quoted-printable: long lines are broken by `=`, and what is not plain stands as its bytes. */
const decoded = (text: string): string =>
  text
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)))
