import { randomBytes } from 'node:crypto'
import type { Database } from './database.ts'

const tables = `
  create table if not exists settings (
    name text primary key,
    value text not null
  );

  -- One row per form that was opened. It is written before the intent is asked for, so that no intent exists that the
  -- shop does not know of, and it keeps everything that a retry has to repeat.
  create table if not exists attempts (
    id uuid primary key,
    action text not null check (action in ('checkout', 'signup')),
    session text not null,
    nonce text not null unique,
    idempotency_key text not null unique,
    hostname text not null,
    state text not null default 'created' check (state in ('created', 'opened', 'submitted', 'refused', 'completed')),
    intent_id uuid unique,
    payload jsonb,
    token text,
    frozen_at timestamptz,
    refusal_code text,
    created_at timestamptz not null default now(),
    check ((frozen_at is null) = (payload is null) and (frozen_at is null) = (token is null)),
    check (frozen_at is null or intent_id is not null)
  );
  -- The exemption that the intent was asked for with.
  alter table attempts add column if not exists trusted_grant_id uuid;
  -- The intent that was renewed last: its page asks again where the answer was lost.
  alter table attempts add column if not exists renewed_intent_id uuid;
  create index if not exists attempts_by_session on attempts (session, created_at desc);

  create table if not exists orders (
    number integer generated always as identity (start with 1001) primary key,
    attempt_id uuid not null unique references attempts,
    decision_id text not null unique,
    product text not null,
    quantity integer not null check (quantity between 1 and 9),
    total_cents integer not null,
    name text not null,
    email text not null,
    address text not null,
    placed_at timestamptz not null default now()
  );

  -- One row per sign-up: an address that signs up twice is written to once, and nobody learns here whether it had.
  create table if not exists subscribers (
    id integer generated always as identity primary key,
    attempt_id uuid not null unique references attempts,
    decision_id text not null unique,
    email text not null,
    joined_at timestamptz not null default now()
  );

  -- One row per exemption. It is written before the grant is asked for, so that two clicks ask for the same one.
  create table if not exists exemptions (
    attempt_id uuid primary key references attempts,
    session text not null,
    grant_id uuid unique,
    uses_left integer check (uses_left >= 0),
    expires_at timestamptz,
    forgotten_at timestamptz,
    asked_at timestamptz not null default now(),
    check ((grant_id is null) = (expires_at is null) and (grant_id is null) = (uses_left is null))
  );
  create index if not exists exemptions_by_session on exemptions (session);

  -- One row per report on a decision, written before it is sent and never changed but for the answer: what got no answer
  -- is sent again as it was. Reports that Tollgate took or may have taken form one line, each superseding the one before.
  create table if not exists reports (
    event_id uuid primary key,
    number integer generated always as identity,
    attempt_id uuid not null references attempts,
    outcome text not null check (outcome in ('confirmed_abuse', 'legitimate', 'unknown')),
    business_type text not null,
    occurred_at bigint not null,
    supersedes_event_id uuid references reports,
    revision integer,
    correctable_until timestamptz,
    refusal_code text,
    check ((revision is null) = (correctable_until is null))
  );
  create unique index if not exists reports_in_line on reports (attempt_id, supersedes_event_id)
    nulls not distinct where refusal_code is null;
`

/** Creates what is missing. Safe to run at every start, also by two shops on one database at once. */
export async function createTables(database: Database): Promise<void> {
  await database.transaction(async (query) => {
    // Two `create table if not exists` at the same moment can still collide; the lock ends with the transaction.
    await query('select pg_advisory_xact_lock(hashtext($1))', ['pennywheel tables'])
    await query(tables)
  })
}

/** The key of the session HMAC, drawn at the first start and kept, so that sessions outlive a restart. */
export async function keepSessionKey(database: Database): Promise<string> {
  await database.query(`insert into settings values ('session_key', $1) on conflict do nothing`, [
    randomBytes(32).toString('base64url'),
  ])
  const [row] = await database.query<{ value: string }>(`select value from settings where name = 'session_key'`)
  if (row === undefined) throw new Error('the session key has disappeared from settings')
  return row.value
}
