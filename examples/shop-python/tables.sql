-- One row per form, stored before its intent is opened. It keeps everything that a repetition has to send again.
create table if not exists attempts (
  id text primary key,
  action text not null,
  hostname text not null,
  session text not null,
  nonce text not null unique,
  idempotency_key text not null unique,
  grant_id text,          -- the exemption that the intent was opened with
  intent_id text unique,
  renewed_intent_id text, -- the intent before this one: its page asks again if the answer was lost
  payload text,
  token text,
  refusal text,           -- code of the latest refusal
  created_at integer not null default (strftime('%s', 'now') + 0),
  check ((payload is null) = (token is null)),
  check (payload is null or intent_id is not null)
);

-- The business: an order of a part, or of the newsletter. The unique constraints let it happen once per form.
create table if not exists orders (
  number integer primary key autoincrement,
  attempt_id text not null unique references attempts,
  decision_id text not null unique,
  action text not null,
  payload text not null,
  placed_at integer not null default (strftime('%s', 'now') + 0)
);

-- One row per exemption, stored before the grant is requested.
create table if not exists exemptions (
  attempt_id text primary key references attempts,
  session text not null,
  grant_id text unique,
  expires_at integer,
  ended integer not null default 0 -- used, refused or forgotten
);

-- One row per report on a decision, stored before it is sent. Each report of an attempt supersedes the one before.
create table if not exists reports (
  number integer primary key autoincrement,
  event_id text not null unique,
  attempt_id text not null references attempts,
  outcome text not null,
  occurred_at integer not null default (strftime('%s', 'now') + 0),
  supersedes text not null, -- empty for the first one
  revision integer,
  correctable_until integer,
  refusal text
);
create unique index if not exists reports_in_line on reports (attempt_id, supersedes) where refusal is null;

-- Every form, what it led to, its exemption and the latest report on its decision.
create view if not exists activity as
select a.id, a.session, a.action, a.intent_id, a.payload, a.refusal, a.created_at, o.number, o.decision_id,
  case when o.number is not null then 'Done' when a.refusal is not null then 'Refused'
    when a.token is not null then 'Sent' else 'Opened' end as state,
  case when a.grant_id is not null then 'skipped' when e.ended or e.expires_at <= strftime('%s', 'now') + 0 then 'over'
    when e.grant_id is not null then 'ready' when o.placed_at > strftime('%s', 'now') + 0 - 600 then 'offered' end as exemption,
  r.event_id, r.outcome, r.occurred_at, r.supersedes, r.revision, r.correctable_until
from attempts a
left join orders o on o.attempt_id = a.id
left join exemptions e on e.attempt_id = a.id
left join reports r on r.number = (select max(number) from reports where attempt_id = a.id and refusal is null);
