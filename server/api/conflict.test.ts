import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeSite } from '../../test/support/make.ts'
import { testApp } from '../../test/support/testApp.ts'

const app = testApp()

test.each(['40001', '40P01'])(
  'a transaction that PostgreSQL gave up for another (%s) is to be repeated',
  async (code) => {
    const site = await makeSite(app.ctx)
    const { body } = await app.client.siteverify(site, await app.client.earn(site))
    const event = { decision_id: body['decision_id'], event_id: randomUUID() }
    const send = () => app.client.feedback(site, event)
    await app.sql.query(`
    create function give_up() returns trigger language plpgsql as $$ begin
      raise exception 'given up' using errcode = '${code}';
    end $$;
    create trigger give_up before insert on feedback_event for each row execute function give_up()`)
    const refused = await send()
    expect([refused.status, refused.body]).toEqual([503, { error: 'unavailable' }])
    await app.sql.query('drop trigger give_up on feedback_event; drop function give_up()')
    expect((await send()).status).toBe(200)
  },
)
