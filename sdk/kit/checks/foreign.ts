import { expect, under } from '../check.ts'
import { testKeys } from '../keys.ts'
import type { Kit, Opened } from '../kit.ts'
import { withValues } from '../page.ts'
import type { Probe } from '../probe.ts'

const NOTHING = 'not executed, not answered with the success page'
const FROM_RECORD =
  'Take intent_id, action and hostname from the record of the attempt, never from the form, and let /siteverify compare them with the token.'
const BOUND =
  'Find the attempt by its id and by the session of the cookie, in one query; a form of another session gets 403.'

const FORGED_HOST = 'forged.example'
const FORGED_HEADERS = {
  'x-forwarded-host': FORGED_HOST,
  'x-host': FORGED_HOST,
  'x-original-host': FORGED_HOST,
  forwarded: `host=${FORGED_HOST}`,
}

/** Field names from which a merchant might wrongly read them. */
const INTENT_NAMES = ['intent_id', 'intentId', 'intent', 'data-intent', 'tollgate_intent']

/** 2. A token of another site, session, action or business record. */
export const FOREIGN = under<Probe>(2, [
  {
    name: 'submit one form with the token of another form of the same visitor',
    expected: NOTHING,
    fix: FROM_RECORD,
    run: async (kit) => {
      const first = await kit.earn()
      const second = await kit.earn(first.visitor)
      kit.expectRefused(await kit.expectExecuted(0, () => kit.submit(first, { token: second.token })))
    },
  },
  {
    name: 'submit the token of an intent for another action',
    expected: NOTHING,
    fix: FROM_RECORD,
    run: async (kit) => {
      const opened = await kit.open()
      const { token } = await kit.earnElsewhere(kit.keys, { ...bindingOf(kit, opened), action: 'acceptance-other' })
      kit.expectRefused(await kit.expectExecuted(0, () => kit.submit(opened, { token })))
    },
  },
  {
    name: 'submit a token of another site',
    expected: NOTHING,
    fix: FROM_RECORD,
    run: async (kit) => {
      const opened = await kit.open()
      const other = testKeys(kit.keys.sitekey === testKeys('pass').sitekey ? 'spent' : 'pass')
      const { token } = await kit.earnElsewhere(other, bindingOf(kit, opened))
      kit.expectRefused(await kit.expectExecuted(0, () => kit.submit(opened, { token })))
    },
  },
  {
    name: 'choose the intent by the form: its token with intent_id, action and hostname as fields, hidden fields replaced',
    expected: NOTHING,
    fix: FROM_RECORD,
    run: async (kit) => {
      const opened = await kit.open()
      const binding = bindingOf(kit, opened)
      const { intent, token } = await kit.earnElsewhere(kit.keys, { ...binding, action: 'acceptance-other' })
      const chosen = await kit.earnElsewhere(kit.keys, binding)
      for (const it of [
        { ...chosen, action: String(binding.action) },
        { intent, token, action: 'acceptance-other' },
      ]) {
        const extra = {
          ...Object.fromEntries(INTENT_NAMES.map((name) => [name, it.intent])),
          ...replaced(opened, it.intent),
          action: it.action,
          hostname: 'localhost',
        }
        kit.expectRefused(await kit.expectExecuted(0, () => kit.submit(opened, { token: it.token, extra })))
      }
    },
  },
  {
    name: 'send a visitor’s whole form, with its token, in the session of another visitor and without a session',
    expected: `${NOTHING}; afterwards the first visitor’s own submission is executed once`,
    fix: BOUND,
    run: async (kit) => {
      const own = await kit.earn()
      const stranger = await kit.open()
      await kit.expectExecuted(0, async () => {
        for (const visitor of [stranger.visitor, kit.newVisitor()])
          kit.expectRefused(await kit.submit({ ...own, visitor }, own))
      })
      kit.expectSuccess(await kit.expectExecuted(1, () => kit.submit(own, own)))
    },
  },
  {
    name: 'send one’s own form with single hidden fields and the token of another visitor’s form',
    expected: `${NOTHING}; afterwards the other visitor’s own submission is executed once`,
    fix: BOUND,
    run: async (kit) => {
      const victim = await kit.earn()
      const differing = (await kit.open()).form.hidden.filter((name) => valueOf(victim, name) !== undefined)
      expect(differing.length > 0, 'the form has no hidden field, so nothing ties it to a record')
      for (const name of differing) {
        const thief = await kit.open()
        if (valueOf(thief, name) === valueOf(victim, name)) continue
        const extra = { [name]: valueOf(victim, name) ?? '' }
        kit.expectRefused(await kit.expectExecuted(0, () => kit.submit(thief, { token: victim.token, extra })))
      }
      kit.expectSuccess(await kit.expectExecuted(1, () => kit.submit(victim, victim)))
    },
  },
  {
    name: 'open the form and send it with forged Host, X-Forwarded-Host and Forwarded headers',
    expected: 'no intent is opened or redeemed for the forged name; afterwards the form is executed once',
    fix: 'Take the hostname from your configuration when you open the intent, and from the record when you redeem it; never from a header or the form.',
    run: async (kit) => {
      const { relay, merchant, newVisitor } = kit
      const before = relay.calls.length
      const { host } = new URL(merchant.form)
      const forgeries = [{ host: FORGED_HOST }, { host, ...FORGED_HEADERS }]
      // a server may refuse such a request or close its connection
      for (const headers of forgeries)
        await newVisitor()
          .open(merchant.form, { headers })
          .catch(() => {})
      const opened = await kit.earn()
      await kit.expectExecuted(1, async () => {
        for (const headers of forgeries) await kit.submit(opened, opened, { headers }).catch(() => {})
        const isForged = relay.calls.slice(before).find(({ fields }) => fields['hostname'] === FORGED_HOST)
        expect(!isForged, `${isForged?.path} was called with ${FORGED_HOST}, the name in the request’s header`)
        kit.expectSuccess(await kit.submit(opened, opened))
      })
    },
  },
  {
    name: 'everything above: what /siteverify was called with',
    expected: 'the action and hostname for which the intent was opened',
    fix: FROM_RECORD,
    last: true,
    run: async ({ relay }) => {
      const opened = new Map(
        relay.calls.flatMap(({ path, fields, answer }) =>
          path === '/intents' && answer?.status === 200 ? [[String(answer.fields['intent_id']), fields] as const] : [],
        ),
      )
      for (const { path, fields } of relay.calls) {
        const own = opened.get(String(fields['intent_id']))
        // that has a probe of its own
        if (path !== '/siteverify' || fields['hostname'] === FORGED_HOST) continue
        expect(own !== undefined, 'an intent was redeemed that this merchant had not opened')
        for (const name of ['action', 'hostname'])
          expect(
            fields[name] === own[name],
            `${name} was sent as ${String(fields[name])}, the intent has ${String(own[name])}`,
          )
      }
    },
  },
])

/** The values with which the merchant opened the form's intent. */
function bindingOf(kit: Kit, { widget }: Opened) {
  const { action, session } = kit.opening(widget.intent).fields
  return { action, hostname: 'localhost', ...(session === undefined ? {} : { session }) }
}

const valueOf = ({ form }: Opened, name: string) => withValues(form.values, {}).find(([own]) => own === name)?.[1]

/** The form's own fields that contain its intent, with another intent. */
function replaced({ form, widget }: Opened, intent: string): Record<string, string> {
  const carriers = form.values.filter(([, value]) => value === widget.intent)
  return Object.fromEntries(carriers.map(([name]) => [name, intent]))
}
