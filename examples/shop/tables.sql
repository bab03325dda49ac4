-- Two shops that start on one database at once must not create the same table at the same moment.
select pg_advisory_xact_lock(hashtext('shop tables'));

-- One row per form, stored before its intent is opened. It keeps everything that a repetition has to send again.
create table if not exists attempts (
  id uuid primary key,
  action text not null check (action in ('checkout', 'signup')),
  session text not null,
  hostname text not null,
  nonce text not null unique,
  idempotency_key text not null unique,
  grant_id uuid,          -- the exemption that the intent was opened with
  intent_id uuid unique,
  renewed_intent_id uuid, -- the intent before this one: its page asks again if the answer was lost
  payload jsonb,
  token text,
  refusal text,           -- code of the latest refusal
  created_at timestamptz not null default now(),
  check ((payload is null) = (token is null)),
  check (payload is null or intent_id is not null)
);
create index if not exists attempts_by_session on attempts (session, created_at desc);

-- The business: an order of a part, or of the newsletter. The unique constraints let it happen once per form.
create table if not exists orders (
  number integer generated always as identity (start with 1001) primary key,
  attempt_id uuid not null unique references attempts,
  decision_id text not null unique,
  action text not null,
  payload jsonb not null,
  placed_at timestamptz not null default now()
);

-- One row per exemption, stored before the grant is requested.
create table if not exists exemptions (
  attempt_id uuid primary key references attempts,
  session text not null,
  grant_id uuid unique,
  expires_at timestamptz,
  ended boolean not null default false -- used, refused or forgotten
);

-- One row per report on a decision, stored before it is sent. Each report of an attempt supersedes the one before.
create table if not exists reports (
  number integer generated always as identity primary key,
  event_id uuid not null unique,
  attempt_id uuid not null references attempts,
  outcome text not null check (outcome in ('confirmed_abuse', 'legitimate', 'unknown')),
  occurred_at bigint not null,
  supersedes uuid,
  revision integer,
  correctable_until timestamptz,
  refusal text
);
create unique index if not exists reports_in_line on reports (attempt_id, supersedes) nulls not distinct
  where refusal is null;

-- Every form, what it led to, its exemption and the latest report on its decision.
create or replace view activity as
select a.id, a.session, a.action, a.intent_id, a.payload, a.refusal, a.created_at, o.number, o.decision_id,
  case when o.number is not null then 'Done' when a.refusal is not null then 'Refused'
    when a.token is not null then 'Sent' else 'Opened' end as state,
  case when a.grant_id is not null then 'skipped' when e.ended or e.expires_at <= now() then 'over'
    when e.grant_id is not null then 'ready' when o.placed_at > now() - interval '10 minutes' then 'offered'
    end as exemption,
  e.expires_at as exempt_until, r.event_id, r.outcome, r.occurred_at::float8 as occurred_at, r.supersedes, r.revision,
  r.correctable_until
from attempts a
left join orders o on o.attempt_id = a.id
left join exemptions e on e.attempt_id = a.id
left join lateral (
  select * from reports where attempt_id = a.id and refusal is null order by number desc limit 1
) r on true;
