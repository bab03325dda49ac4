import { expect, test } from 'vitest'
import { EMAIL } from '../contract/names.ts'
import { quotable } from './email.ts'
import { invitationEmail } from './sessions/emails.ts'

test('an e-mail quotes no name that could become a link', () => {
  for (const name of ['Pay at evil.example', 'https://evil', 'www', 'a\\b', 'ada@home', 'EVIL.COM', 'мир.рф'])
    expect(quotable(name, 'a tenant')).toBe('a tenant')
  for (const name of ['Ada Lovelace', 'Dr. Ada', 'Shop & Co.', 'Ånström']) expect(quotable(name, 'x')).toBe(name)
})

test('an invitation has nothing of the sender’s choice in its subject, and no link but ours', () => {
  const lure = 'Your parcel is held, pay at https://evil.example now'
  const invitation = { id: 'x', email: 'ada@people.example', role: 'viewer', tenant: lure, inviter: lure }
  const { subject, text, html } = invitationEmail('https://tollgate.example', invitation)
  expect(subject).toBe('You are invited to a tenant at Tollgate')
  expect(text + html).not.toMatch(/evil|parcel/)
})

test('an e-mail address is one that every program reads alike', () => {
  for (const address of ['ada@people.example', "o'brien+x@a.b", 'A@localhost']) expect(address).toMatch(EMAIL)
  const wrong = ['one,two@x', 'group:one@x', '(c)a@x', 'a;b@x', 'a@x-', 'a@-x', 'a@x....', 'a@ü.example', '"a b"@x']
  for (const address of [...wrong, 'a@b@c', 'a\u202e@x', 'a@x\n', '\u212a@x', `${'a'.repeat(65)}@x`, 'a@'])
    expect(address).not.toMatch(EMAIL)
})
