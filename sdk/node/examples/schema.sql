create table if not exists attempts (
  id                uuid primary key,
  session           text not null,
  action            text not null,
  hostname          text not null,
  nonce             text not null unique,
  idempotency_key   text not null unique,
  intent_id         uuid unique,
  renewed_intent_id uuid,
  payload           jsonb,
  token             text,
  refusal           text,
  created_at        timestamptz not null default now(),
  check ((payload is null) = (token is null)),
  check (payload is null or intent_id is not null)
);
create table if not exists orders (
  attempt_id      uuid not null unique references attempts,
  decision_id     text not null unique,
  payload         jsonb not null
);
