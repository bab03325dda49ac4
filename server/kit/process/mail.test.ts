import { createServer, type Server } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { createMail } from './mail.ts'

const email = (to: string) => ({ to, subject: 'Hello', text: 'plain', html: '<p>rich</p>' })
const settings = { smtpUrl: undefined, mailFrom: 'Tollgate <no-reply@tollgate.example>', production: false }

/** A minimal mail server that accepts everything and records the conversation. */
async function openMailServer(): Promise<{ url: string; said: string[]; server: Server }> {
  const said: string[] = []
  const server = createServer((socket) => {
    let inData = false
    socket.write('220 ready\r\n')
    createInterface({ input: socket }).on('line', (line) => {
      said.push(line)
      if (inData && line !== '.') return
      if (line === 'QUIT') socket.end('221 bye\r\n')
      else socket.write(line === 'DATA' ? '354 go on\r\n' : '250 fine\r\n')
      inData = line === 'DATA'
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, said, server }
}

test('sends e-mail as text and HTML through the mail server and captures nothing', async () => {
  const { url, said, server } = await openMailServer()
  const mail = createMail({ ...settings, smtpUrl: url })
  await mail.send(email('ada@people.example'))
  server.close()
  const all = said.join('\n')
  expect(all).toContain('MAIL FROM:<no-reply@tollgate.example>')
  expect(all).toContain('RCPT TO:<ada@people.example>')
  expect(all).toContain('Subject: Hello')
  expect(all).toContain('plain')
  expect(all).toContain('<p>rich</p>')
  expect(mail.captured()).toEqual([])
})

test('an address is one recipient, whatever a parser would read in it', async () => {
  const { url, said, server } = await openMailServer()
  const mail = createMail({ ...settings, smtpUrl: url })
  for (const address of ['one,two@people.example', 'group:one@people.example', '(c)ada@people.example'])
    await mail.send(email(address)).catch(() => undefined)
  server.close()
  expect(said.filter((line) => /^RCPT TO:<(two|one|ada)@/.test(line))).toEqual([])
})

test('reports a mail server that is unavailable', async () => {
  const mail = createMail({ ...settings, smtpUrl: 'smtp://127.0.0.1:9' })
  await expect(mail.send(email('ada@people.example'))).rejects.toThrow('did not accept the e-mail')
})

test('refuses to send in production without a mail server and names the setting', async () => {
  const mail = createMail({ ...settings, production: true })
  expect(mail.ready).toBe(false)
  await expect(mail.send(email('ada@people.example'))).rejects.toThrow('SMTP_URL')
})

test('captures the newest two hundred e-mails', async () => {
  const mail = createMail(settings)
  for (let i = 0; i < 205; i++) await mail.send(email(`p${i}@people.example`))
  expect(mail.captured()).toHaveLength(200)
  expect(mail.captured()[0]?.to).toBe('p204@people.example')
})
