import { setTimeout as sleep } from 'node:timers/promises'
import type { CHECKS } from './checks.ts'
import { cutClients, type Fault } from './faults.ts'
import type { World } from './world.ts'

/**
 * A defect on purpose, with a fault that shows it: a checker that reports nothing here would report nothing anywhere.
 * `seenBy`: a check that must report it. `prepare` makes the defect, `restore` ends it.
 */
export type Mutant = Fault & {
  seenBy: keyof typeof CHECKS
  keyPerAttempt?: true
  prepare?(world: World): Promise<void>
  restore?(world: World): Promise<void>
}

const ENOUGH_CUTS = 80

const SKIPPED_CHARGE = `
  create function skip_charge() returns trigger language plpgsql as $$
  begin
    if random() < 0.2 then new.used := old.used; end if;
    return new;
  end $$;
  create trigger skip_charge before update on quota_period for each row execute function skip_charge();`

/** Each connection asks for `synchronous_commit = on`, so it is changed within the transactions. */
const LOSE_COMMITS = `
  create function lose_commits() returns trigger language plpgsql as $$
  begin
    perform set_config('synchronous_commit', 'off', true);
    return null;
  end $$;
  do $$
  declare
    t regclass;
  begin
    for t in select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
      execute format('create trigger lose_commits after insert or update or delete on %s execute function lose_commits()', t);
    end loop;
  end $$`

/** Two inserts meet only if they take some time. */
const SLOW_INSERT = `
  create function wait_a_moment() returns trigger language plpgsql as $$
  begin
    perform pg_sleep(0.02);
    return new;
  end $$;
  create trigger wait_a_moment before insert on intent for each row execute function wait_a_moment();`

async function configure(world: World, settings: Record<string, string | undefined>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await world.superuser(value === undefined ? `alter system reset ${name}` : `alter system set ${name} = '${value}'`)
  await world.superuser('select pg_reload_conf()')
}

export const MUTANTS: Mutant[] = [
  {
    name: 'synchronous_commit = off, and kill -9 of PostgreSQL',
    seenBy: 'an acknowledged redemption is not in the database',
    async prepare(world) {
      await world.owner.query(LOSE_COMMITS)
      await configure(world, { wal_writer_delay: '10s', wal_writer_flush_after: '1GB' })
    },
    async inject(world) {
      await sleep(3000)
      // all at once, so that none writes what the others left
      const processes = world.postgres()
      for (const pid of processes) process.kill(pid, 'SIGKILL')
      return processes.length
    },
    async restore(world) {
      await world.owner.query('drop function lose_commits() cascade')
      await configure(world, { wal_writer_delay: undefined, wal_writer_flush_after: undefined })
    },
  },
  {
    name: 'a charge is skipped',
    seenBy: 'more or less is charged than the attempts explain',
    async prepare({ owner }) {
      await owner.query(SKIPPED_CHARGE)
    },
    inject: (_world, seconds) => sleep(seconds * 1000, 1),
    async restore({ owner }) {
      await owner.query('drop trigger skip_charge on quota_period; drop function skip_charge()')
    },
  },
  {
    name: 'a client repeats with a new key',
    seenBy: 'charged, but the merchant was refused',
    keyPerAttempt: true,
    async inject(world, seconds) {
      let cut = 0
      // a slow machine makes few requests in the time, and not every cut leaves a redemption behind
      for (let round = 0; cut < ENOUGH_CUTS && round < 10; round++) cut += await cutClients(world, seconds)
      return cut
    },
  },
  {
    // the last one: what it leaves behind does not fit the index
    name: 'a unique index is dropped',
    seenBy: 'more than one intent for a nonce',
    clients: 24,
    async prepare({ owner }) {
      await owner.query(`drop index intent_site_id_nonce_tenant_id_key; ${SLOW_INSERT}`)
    },
    async inject({ owner }, seconds) {
      for (let round = 0; round < 10; round++) {
        await sleep(seconds * 1000)
        const { rowCount } = await owner.query('select from intent group by site_id, nonce having count(*) > 1')
        if (rowCount) return rowCount
      }
      return 0
    },
  },
]
