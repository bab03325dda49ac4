/**
 * What must hold between the history and the database, as SQL that returns one row `what` per violation. `tried` has one row per
 * attempt, with its answer; `outcome` is acknowledged (200), refused (4xx) or ambiguous (anything else, and no answer).
 */
export const TABLES = `
  create temporary table attempt (seq int primary key, op text, purchase text, tenant uuid, site uuid, path text, body jsonb) on commit drop;
  create temporary table answer (seq int, attempt int primary key, ms float8, status int, text text) on commit drop;
  create temporary table books (tenant uuid primary key, quota bigint, balance bigint) on commit drop;
  create temporary table unconfirmed (began int, ended int) on commit drop;
  create temporary view tried as
    select a.*, r.seq as answered, r.ms, r.status, r.text,
      case when r.status = 200 then 'acknowledged' when r.status between 400 and 499 then 'refused' else 'ambiguous' end as outcome
    from attempt a left join answer r on r.attempt = a.seq;
  create temporary view redemption as
    select t.*, (body->>'intent_id')::uuid as intent from tried t where path = '/siteverify';
`

/** After the history was copied: the planner would take every table for empty. */
export const INDEXES = `
  create index on attempt (op);
  create index on attempt ((body->>'intent_id')) where path = '/siteverify';
  create index on attempt ((body->>'nonce')) where path = '/intents';
  analyze attempt; analyze answer; analyze books;
`

export const CHECKS = {
  'an acknowledged redemption is not in the database': `
    select distinct r.op as what from redemption r
    left join decision d on d.id = r.intent and d.tenant_id = r.tenant and d.site_id = r.site
      and d.action = r.body->>'action' and d.hostname = r.body->>'hostname'
    where r.outcome = 'acknowledged' and d.id is null`,

  'an intent is redeemed with two keys': `
    select distinct r.op as what from redemption r
    join decision d on d.id = r.intent and d.tenant_id = r.tenant
    where r.outcome = 'acknowledged'
      and d.key_hash <> substring(sha256(convert_to(r.body->>'idempotency_key', 'UTF8')) for 16)`,

  'a decision without an attempt': `
    select d.id::text as what from decision d join books b on b.tenant = d.tenant_id
    where not exists (select 1 from redemption r where r.intent = d.id and r.tenant = d.tenant_id)`,

  'more than one decision for an intent': `
    select d.id::text as what from decision d join books b on b.tenant = d.tenant_id group by d.id having count(*) > 1`,

  'charged, but the merchant was refused': `
    select d.id::text as what from decision d join books b on b.tenant = d.tenant_id
    join lateral (
      select bool_or(outcome = 'acknowledged') as is_known, (array_agg(outcome order by seq desc))[1] as last
      from redemption r where r.intent = d.id and r.tenant = d.tenant_id
    ) a on not a.is_known and a.last = 'refused'`,

  'a purchase is charged twice': `
    select purchase as what from (
      select distinct r.purchase, d.id from redemption r join decision d on d.id = r.intent and d.tenant_id = r.tenant
    ) p group by 1 having count(*) > 1`,

  'a repetition is answered differently': `
    select op as what from tried where outcome = 'acknowledged' and path <> '/grants/revoke' group by op having count(distinct text) > 1`,

  'an acknowledged operation is refused afterwards': `
    select distinct later.op as what from tried later join tried first using (op)
    where first.outcome = 'acknowledged' and later.outcome = 'refused' and later.status <> 429
      and later.seq > first.answered and later.ms < first.ms + 290000`,

  'the quota used is not the sum of its charges': `
    select format('tenant %s: %s used, %s decisions', b.tenant, coalesce(q.used, 0), coalesce(d.n, 0)) as what
    from books b
    left join (select tenant_id, sum(used) as used from quota_period group by 1) q on q.tenant_id = b.tenant
    left join (select tenant_id, count(*) as n from decision where charged_to = 'quota' group by 1) d on d.tenant_id = b.tenant
    where coalesce(q.used, 0) <> coalesce(d.n, 0)`,

  'the balance is not what was added less its charges': `
    select format('tenant %s: %s of %s left, %s decisions', b.tenant, coalesce(a.units, 0), b.balance, coalesce(d.n, 0)) as what
    from books b
    left join balance a on a.tenant_id = b.tenant
    left join (select tenant_id, count(*) as n from decision where charged_to = 'balance' group by 1) d on d.tenant_id = b.tenant
    where coalesce(a.units, 0) <> b.balance - coalesce(d.n, 0)`,

  'more is charged than there was': `
    select format('tenant %s: %s decisions of %s units', b.tenant, count(*), b.quota + b.balance) as what
    from books b join decision d on d.tenant_id = b.tenant group by b.tenant having count(*) > b.quota + b.balance`,

  'more or less is charged than the attempts explain': `
    select format('tenant %s: %s charged, %s acknowledged, at most %s', b.tenant, charged, known, possible) as what
    from books b cross join lateral (
      select coalesce((select sum(used) from quota_period q where q.tenant_id = b.tenant), 0)
          + b.balance - coalesce((select units from balance a where a.tenant_id = b.tenant), 0) as charged,
        (select count(distinct intent) from redemption r where r.tenant = b.tenant and outcome = 'acknowledged') as known,
        (select count(distinct intent) from redemption r where r.tenant = b.tenant and outcome <> 'refused') as possible
    ) c
    where charged < known or charged > possible`,

  'refused for lack of units that were there': `
    select format('tenant %s: %s of %s units charged', b.tenant, d.n, b.quota + b.balance) as what
    from books b cross join lateral (select count(*) as n from decision d where d.tenant_id = b.tenant) d
    where d.n < b.quota + b.balance and exists (select 1 from tried t where t.tenant = b.tenant and t.status = 402)`,

  'an acknowledged intent is not in the database': `
    select distinct t.op as what from tried t
    left join intent i on i.id = (t.text::jsonb->>'intent_id')::uuid and i.tenant_id = t.tenant and i.site_id = t.site
      and i.nonce = t.body->>'nonce'
    where t.path = '/intents' and t.outcome = 'acknowledged' and i.id is null`,

  'more than one intent for a nonce': `
    select i.nonce as what from intent i join books b on b.tenant = i.tenant_id group by i.site_id, i.nonce having count(*) > 1`,

  'an intent without an attempt': `
    select i.id::text as what from intent i join books b on b.tenant = i.tenant_id
    where not exists (
      select 1 from attempt a where a.path = '/intents' and a.body->>'nonce' = i.nonce and a.site = i.site_id
    )`,

  'acknowledged feedback is not in the database': `
    select distinct t.op as what from tried t
    left join feedback_event f on f.event_id = (t.body->>'event_id')::uuid and f.tenant_id = t.tenant and f.site_id = t.site
      and 'dec_' || replace(f.decision_id::text, '-', '') = replace(t.body->>'decision_id', '-', '')
      and f.outcome::text = t.body->>'outcome' and f.revision = (t.text::jsonb->>'revision')::int
    where t.path = '/feedback' and t.outcome = 'acknowledged' and f.event_id is null`,

  'feedback without an attempt': `
    select f.event_id::text as what from feedback_event f join books b on b.tenant = f.tenant_id
    where not exists (
      select 1 from attempt a where a.path = '/feedback' and a.site = f.site_id and a.body->>'event_id' = f.event_id::text
    )`,

  'the revisions of a feedback have gaps': `
    select f.decision_id::text as what from feedback_event f join books b on b.tenant = f.tenant_id
    group by f.decision_id having count(*) <> max(revision) or count(distinct revision) <> count(*) or count(distinct event_id) <> count(*)`,

  'an acknowledged grant is not in the database': `
    select distinct t.op as what from tried t
    left join captcha_grant g on g.id = (t.text::jsonb->>'grant_id')::uuid and g.tenant_id = t.tenant and g.site_id = t.site
      and 'dec_' || replace(g.decision_id::text, '-', '') = replace(t.body->>'decision_id', '-', '')
    where t.path = '/grants' and t.outcome = 'acknowledged' and g.id is null`,

  'a grant without an attempt': `
    select g.id::text as what from captcha_grant g join books b on b.tenant = g.tenant_id
    where not exists (
      select 1 from attempt a where a.path = '/grants' and a.site = g.site_id
        and replace(a.body->>'decision_id', '-', '') = 'dec_' || replace(g.decision_id::text, '-', '')
    )`,

  'a grant is spent more often than it allows, or was not counted': `
    select format('%s: %s of %s uses counted, %s intents', g.id, g.used, g.uses, i.n) as what
    from captcha_grant g join books b on b.tenant = g.tenant_id
    cross join lateral (select count(*) as n from intent i where i.grant_id = g.id and i.tenant_id = g.tenant_id) i
    where i.n > g.uses or i.n <> g.used`,

  'an acknowledged revocation is not in the database': `
    select distinct t.op as what from tried t
    left join captcha_grant g on g.id = (t.body->>'grant_id')::uuid and g.tenant_id = t.tenant and g.revoked_at is not null
    where t.path = '/grants/revoke' and t.outcome = 'acknowledged' and g.id is null`,

  'a revoked grant opened an intent': `
    select t.op as what from tried t
    join tried r on r.path = '/grants/revoke' and r.outcome = 'acknowledged' and r.body->>'grant_id' = t.body->>'trusted_grant_id'
    where t.path = '/intents'
    group by t.op having bool_or(t.outcome = 'acknowledged') and min(t.seq) > min(r.answered)`,

  'confirmed while nothing could confirm a commit': `
    select t.op as what from tried t join unconfirmed u on t.seq > u.began and t.answered < u.ended
    where t.outcome = 'acknowledged'`,

  'answered with a fault of the service': `
    select format('%s: %s %s', op, status, text) as what from tried where status >= 500 and status <> 503`,
} satisfies Record<string, string>
