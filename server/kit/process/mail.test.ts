import { expect, test } from 'vitest'
import { openMailbox } from '../../../test/support/mailbox.ts'
import { newId } from '../crypto/ids.ts'
import { createMail } from './mail.ts'

const email = (to: string) => ({ to, subject: 'Hello', text: 'plain', html: '<p>rich</p>' })
const settings = {
  smtpUrl: undefined,
  mailFrom: 'Tollgate <no-reply@tollgate.example>',
  publicUrl: 'https://tollgate.example',
  production: false,
}

test('sends e-mail as text and HTML through the mail server, with its id, and captures nothing', async () => {
  const mailbox = await openMailbox()
  const mail = createMail({ ...settings, smtpUrl: mailbox.url })
  const id = newId()
  await mail.send(email('ada@people.example'), id)
  await mailbox.close()
  const all = mailbox.said.join('\n')
  expect(all).toContain('MAIL FROM:<no-reply@tollgate.example>')
  expect(all).toContain('RCPT TO:<ada@people.example>')
  expect(all).toContain(`Message-ID: <${id}@tollgate.example>`)
  expect(all).toContain('Subject: Hello')
  expect(all).toContain('plain')
  expect(all).toContain('<p>rich</p>')
  expect(mail.captured()).toEqual([])
})

test('an address is one recipient, whatever a parser would read in it', async () => {
  const mailbox = await openMailbox()
  const mail = createMail({ ...settings, smtpUrl: mailbox.url })
  for (const address of ['one,two@people.example', 'group:one@people.example', '(c)ada@people.example'])
    await mail.send(email(address), newId()).catch(() => undefined)
  await mailbox.close()
  expect(mailbox.said.filter((line) => /^RCPT TO:<(two|one|ada)@/.test(line))).toEqual([])
})

test('the error for an address that the mail server refuses does not contain the address', async () => {
  const mailbox = await openMailbox(0, 'full@people.example')
  const mail = createMail({ ...settings, smtpUrl: mailbox.url })
  const error = await mail.send(email('full@people.example'), newId()).catch((thrown: unknown) => thrown)
  await mailbox.close()
  expect(String(error)).toMatch(/did not accept the e-mail: .*550 5\.1\.1 <the address> does not exist$/)
  expect(JSON.stringify(Object.getOwnPropertyDescriptors(error))).not.toContain('full@')
})

test('refuses to send in production without a mail server and names the setting', async () => {
  const mail = createMail({ ...settings, production: true })
  expect(mail.ready).toBe(false)
  await expect(mail.send(email('ada@people.example'), newId())).rejects.toThrow('SMTP_URL')
})

test('captures the newest two hundred e-mails', async () => {
  const mail = createMail(settings)
  for (let i = 0; i < 205; i++) await mail.send(email(`p${i}@people.example`), newId())
  expect(mail.captured()).toHaveLength(200)
  expect(mail.captured()[0]?.to).toBe('p204@people.example')
})
