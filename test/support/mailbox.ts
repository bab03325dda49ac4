import { createServer } from 'node:net'
import { createInterface } from 'node:readline'

export type ReceivedEmail = { to: string; text: string }

/** A mail server that keeps what it accepts. */
export type Mailbox = {
  /** For SMTP_URL. */
  url: string
  port: number
  /** Newest first. `text`: the message with its headers. */
  emails: ReceivedEmail[]
  /** All lines that clients sent. */
  said: string[]
  /** The link of the newest e-mail to the address with this path; undefined if there is none. */
  linkTo(email: string, path: string): string | undefined
  close(): Promise<void>
}

/** `port`: any free one by default. `refused`: an address to which it accepts nothing. */
export async function openMailbox(port = 0, refused?: string): Promise<Mailbox> {
  const emails: ReceivedEmail[] = []
  const said: string[] = []
  const server = createServer((socket) => {
    let to = ''
    let lines: string[] | undefined
    socket.on('error', () => {})
    socket.write('220 ready\r\n')
    createInterface({ input: socket }).on('line', (line) => {
      said.push(line)
      if (lines && line !== '.') return void lines.push(line)
      if (lines) emails.unshift({ to, text: decoded(lines.join('\n')) })
      lines = line === 'DATA' ? [] : undefined
      to = /^RCPT TO:<(.+)>/.exec(line)?.[1] ?? to
      if (line === 'QUIT') socket.end('221 bye\r\n')
      else if (line === `RCPT TO:<${refused}>`) socket.write(`550 5.1.1 <${refused}> does not exist\r\n`)
      else socket.write(lines ? '354 go on\r\n' : '250 fine\r\n')
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the mail server has no port')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    emails,
    said,
    linkTo(email, path) {
      const links = emails.filter(({ to }) => to === email).flatMap(({ text }) => text.match(/http:\S+/)?.[0] ?? [])
      return links.find((link) => new URL(link).pathname === path)
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Quoted-printable: long lines are broken by `=`, and what is not plain is written as its bytes. */
const decoded = (text: string): string =>
  text
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)))
