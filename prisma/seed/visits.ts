import { packReasons, unpackReasons } from '../../server/captcha/challenges/difficulty/reasons.ts'
import { workAgain } from '../../server/captcha/challenges/difficulty/work.ts'
import { DEFAULT_POLICY } from '../../server/contract/sitePolicy.ts'
import type { SeedContext, Sites } from './context.ts'
import { attacksOn, DAY_CURVE, formsOf } from './forms.ts'

const DAYS = 35

/** Visitors whose browser has no WebAssembly, 0–1. */
const WITHOUT_WASM = 0.012

/** What a site with the default policy asks, by the doublings of network, subject and site and by the kind of challenge. */
function challenges() {
  const kinds = ['pow-sha256', 'pow-hashwx'] as const
  const each = [0, 1, 2, 3].flatMap((network) =>
    [0, 1].flatMap((subject) => [0, 1, 2].flatMap((site) => kinds.map((kind) => ({ network, subject, site, kind })))),
  )
  return each.map((signals) => {
    const asked = workAgain({ ...DEFAULT_POLICY, test: undefined }, { ...unpackReasons(0), ...signals })
    return { ...signals, work: asked.work, min_age: asked.minAge, reasons: packReasons(asked.reasons) }
  })
}

/**
 * Fills the temporary table `visit` with all visitors and their properties. Charges, grants and feedback are derived from
 * it. All randomness is a hash of site and hour, so that the same moment gives the same data.
 */
export async function seedVisits({ prisma }: SeedContext, sites: Sites): Promise<void> {
  // 0 ≤ roll < 1
  await prisma.$executeRaw`
    create or replace function pg_temp.roll(seed text, what text) returns float8 language sql immutable as
    $$ select ('x' || substr(md5(seed || what), 1, 8))::bit(32)::bigint / 4294967296.0 $$`
  // a UUIDv7 of that moment
  await prisma.$executeRaw`
    create or replace function pg_temp.id_at(at timestamptz, seed text) returns uuid language sql immutable as
    $$ select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7'
      || substr(md5(seed), 1, 3) || 'a' || substr(md5(seed), 4, 15))::uuid $$`
  await prisma.$executeRaw`
    create temporary table visit (
      id uuid, seed text, tenant_id uuid, site_id uuid, hostname text, action text, hostile boolean, opened timestamptz,
      challenged timestamptz, solved timestamptz, redeemed timestamptz, work bigint, reasons integer,
      network bytea, mobile boolean, grant_id uuid
    ) on commit drop`
  await prisma.$executeRaw`
    with attack as (
      select a.*, now() - make_interval(hours => a."from") as begun, now() - make_interval(hours => a."from" - a.hours) as ended
      from jsonb_to_recordset(${JSON.stringify(attacksOn(sites))}::jsonb)
        as a(tenant uuid, site uuid, hostname text, action text, "from" int, hours int, hourly float8, surge int)
    ), hour as (
      select ago, now() - make_interval(hours => ago) as start,
        extract(hour from (now() - make_interval(hours => ago)) at time zone 'utc')::int as clock,
        extract(isodow from (now() - make_interval(hours => ago)) at time zone 'utc') >= 6 as weekend
      from generate_series(1, ${DAYS}::int * 24) as ago
    ), slot as (
      select g.tenant, g.site, g.hostname, g.action, false as hostile, h.start,
        g.hostname || ' ' || g.action || ' ' || h.ago as seed,
        -- a recent visit, whatever the hour
        greatest(g.daily * (${DAY_CURVE}::float8[])[h.clock + 1] * case when h.weekend then g.weekend else 1 end,
          case when h.ago = 1 then g.daily / 20 else 0 end) as expected
      from jsonb_to_recordset(${JSON.stringify(formsOf(sites))}::jsonb)
        as g(tenant uuid, site uuid, hostname text, action text, daily float8, weekend float8)
      cross join hour h
      union all
      select a.tenant, a.site, a.hostname, a.action, true, h.start, 'attack ' || a.hostname || ' ' || h.ago, a.hourly
      from attack a
      join hour h on h.ago <= a."from" and h.ago > a."from" - a.hours
    ), came as materialized (
      select s.tenant, s.site, s.hostname, s.action, s.hostile, s.seed || ' ' || n as seed,
        s.start + make_interval(secs => 3600 * pg_temp.roll(s.seed || ' ' || n, 'minute')) as opened
      from slot s
      cross join lateral generate_series(1,
        floor(s.expected * (0.75 + 0.5 * pg_temp.roll(s.seed, 'crowd'))
        + pg_temp.roll(s.seed, 'rest'))::int) as n
    ), signal as materialized (
      select c.*, not c.hostile and pg_temp.roll(seed, 'mobile') < 0.55 as mobile,
        case when hostile then 3 when pg_temp.roll(seed, 'busy') < 0.07 then 1 else 0 end as busy_network,
        case when not hostile and pg_temp.roll(seed, 'often') < 0.03 then 1 else 0 end as busy_subject,
        coalesce(a.surge, 0) as surge,
        case when o.challenge_kind = 'sha256' or not c.hostile and pg_temp.roll(seed, 'wasm') < ${WITHOUT_WASM}
          then 'pow-sha256' else 'pow-hashwx' end as kind
      from came c join site o on o.id = c.site left join attack a on a.site = c.site and c.opened between a.begun and a.ended
    ), asked as materialized (
      select s.*, h.work, h.min_age, h.reasons,
        opened + make_interval(secs => 0.4 + 3 * pg_temp.roll(seed, 'look')) as challenged,
        -- hashes a second: a rented machine, a phone, a desktop
        case when hostile then 12e6
          when mobile then 0.6e6 + 2e6 * pg_temp.roll(seed, 'speed')
          else 3e6 + 6e6 * pg_temp.roll(seed, 'speed') end as speed,
        case when hostile then 0.2 + pg_temp.roll(seed, 'type')
          else 4 + 150 * pg_temp.roll(seed, 'type') * pg_temp.roll(seed, 'pause') end as typing,
        pg_temp.roll(seed, 'leave') < case when hostile then 0.3 else 0.12 end as leaves
      from signal s
      join jsonb_to_recordset(${JSON.stringify(challenges())}::jsonb)
        as h(network int, subject int, site int, kind text, work bigint, min_age int, reasons int)
        on (h.network, h.subject, h.site, h.kind) = (s.busy_network, s.busy_subject, s.surge, s.kind)
    ), solved as materialized (
      select a.*, challenged + make_interval(secs => greatest(
        work / speed * (0.7 + 0.6 * pg_temp.roll(seed, 'luck')),
        -- the component waits for the minimum age before it sends the solution
        case when min_age > 0 then min_age + 0.3 * pg_temp.roll(seed, 'send') else 0 end)) as solved
      from asked a
    )
    insert into visit
    select pg_temp.id_at(opened, seed), seed, tenant, site, hostname, action, hostile, opened, challenged, solved,
      case when not leaves and solved + make_interval(secs => typing) < now() then solved + make_interval(secs => typing) end,
      work, reasons,
      -- the few of an attack come back all the time, others now and then
      decode(substr(md5(case when hostile then 'attack ' || floor(6 * pg_temp.roll(seed, 'machine'))
        else floor(900 * pg_temp.roll(seed, 'home')) || site::text
        end), 1, 16), 'hex'),
      mobile, null
    from solved`
  await prisma.$executeRaw`create index on visit (site_id, opened)`
  await prisma.$executeRaw`create index on visit (id)`
  await prisma.$executeRaw`analyze visit (id, site_id, opened)`
}
