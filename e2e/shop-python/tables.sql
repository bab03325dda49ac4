pragma journal_mode = wal;

create table if not exists settings (name text primary key, value text not null);

-- One row per form that was opened, stored before the intent is: every intent belongs to a row, and the row keeps
-- everything that a repetition has to send again.
create table if not exists attempts (
  id text primary key,
  action text not null check (action in ('checkout', 'signup')),
  hostname text not null,
  session text not null,
  nonce text not null unique,
  idempotency_key text not null unique,
  grant_id text,
  intent_id text unique,
  -- the intent that was renewed last: its page asks again where the answer was lost
  renewed_intent_id text,
  payload text,
  token text,
  state text not null default 'created' check (state in ('created', 'opened', 'submitted', 'refused', 'completed')),
  refusal text,
  created_at integer not null,
  check ((payload is null) = (token is null)),
  check (payload is null or intent_id is not null)
);
create table if not exists orders (
  number integer primary key autoincrement,
  attempt_id text not null unique references attempts,
  decision_id text not null unique,
  payload text not null,
  placed_at integer not null
);
create table if not exists subscribers (
  attempt_id text not null unique references attempts,
  decision_id text not null unique,
  email text not null,
  placed_at integer not null
);

-- One row per exemption, written before the grant is asked for: two clicks ask for the same one.
create table if not exists exemptions (
  attempt_id text primary key references attempts,
  session text not null,
  grant_id text unique,
  expires_at integer,
  used integer not null default 0,
  forgotten integer not null default 0
);

-- One row per report on a decision, written before it is sent; each supersedes the one before.
create table if not exists reports (
  number integer primary key autoincrement,
  event_id text not null unique,
  attempt_id text not null references attempts,
  outcome text not null,
  occurred_at integer not null,
  supersedes text,
  revision integer,
  correctable_until integer
);
create unique index if not exists reports_in_line on reports (attempt_id, coalesce(supersedes, ''));

insert into sqlite_sequence (name, seq) select 'orders', 1000 where not exists
  (select 1 from sqlite_sequence where name = 'orders');
