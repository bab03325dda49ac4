-- CreateEnum
CREATE TYPE "usage_measure" AS ENUM ('permits', 'challenged', 'solved', 'exempted', 'redeemed', 'refused', 'solve_time', 'work', 'feedback_type', 'feedback_action', 'feedback_solve_time', 'feedback_work');

-- CreateTable
CREATE TABLE "saved_view" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "page" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "search" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_note" (
    "id" UUID NOT NULL,
    "subject" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "staff_note_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "view_as" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "view_as_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage_hour" (
    "tenant_id" UUID NOT NULL,
    "site_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(0) NOT NULL,
    "measure" "usage_measure" NOT NULL,
    "label" TEXT NOT NULL,
    "n" BIGINT NOT NULL,

    CONSTRAINT "usage_hour_pkey" PRIMARY KEY ("tenant_id","measure","hour","site_id","label")
);

-- CreateTable
CREATE TABLE "usage_day" (
    "tenant_id" UUID NOT NULL,
    "site_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "measure" "usage_measure" NOT NULL,
    "label" TEXT NOT NULL,
    "n" BIGINT NOT NULL,

    CONSTRAINT "usage_day_pkey" PRIMARY KEY ("tenant_id","measure","day","site_id","label")
);

-- CreateTable
CREATE TABLE "refusal" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "site_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endpoint" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "field" TEXT,
    "hostname" TEXT,
    "intent_id" UUID,
    "key_hint" TEXT,
    "reference" TEXT NOT NULL,

    CONSTRAINT "refusal_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateTable
CREATE TABLE "usage_alert" (
    "tenant_id" UUID NOT NULL,
    "percent" INTEGER NOT NULL,
    "sent_month" DATE,

    CONSTRAINT "usage_alert_pkey" PRIMARY KEY ("tenant_id","percent")
);

-- CreateIndex
CREATE UNIQUE INDEX "saved_view_tenant_id_user_id_page_name_key" ON "saved_view"("tenant_id", "user_id", "page", "name");

-- CreateIndex
CREATE INDEX "staff_note_subject_created_at_idx" ON "staff_note"("subject", "created_at");

-- CreateIndex
CREATE INDEX "staff_note_tenant_id_created_at_idx" ON "staff_note"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "view_as_user_id_tenant_id_idx" ON "view_as"("user_id", "tenant_id");

-- CreateIndex
CREATE INDEX "view_as_tenant_id_started_at_idx" ON "view_as"("tenant_id", "started_at");

-- CreateIndex
CREATE INDEX "usage_hour_site_id_hour_idx" ON "usage_hour"("site_id", "hour");

-- CreateIndex
CREATE INDEX "usage_day_site_id_day_idx" ON "usage_day"("site_id", "day");

-- CreateIndex
CREATE INDEX "usage_day_measure_day_idx" ON "usage_day"("measure", "day");

-- CreateIndex
CREATE INDEX "refusal_tenant_id_at_idx" ON "refusal"("tenant_id", "at");

-- CreateIndex
CREATE INDEX "refusal_site_id_at_idx" ON "refusal"("site_id", "at");

-- CreateIndex
CREATE INDEX "refusal_reference_idx" ON "refusal"("reference");

-- CreateIndex
CREATE INDEX "refusal_intent_id_idx" ON "refusal"("intent_id");

-- CreateIndex
CREATE INDEX "audit_event_created_at_idx" ON "audit_event"("created_at");

-- CreateIndex
CREATE INDEX "feedback_event_event_id_idx" ON "feedback_event"("event_id");

-- AddForeignKey
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_note" ADD CONSTRAINT "staff_note_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "view_as" ADD CONSTRAINT "view_as_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Every tenant hears of its quota in time, unless it wants otherwise.
insert into usage_alert (tenant_id, percent) select id, percent from tenant, unnest(array[80, 100]) as percent where deleted_at is null;

-- Adds to the counts of hours and of their days. Rows are taken in one order, so that two nodes cannot wait for each other.
create function add_usage(p_tenant uuid[], p_site uuid[], p_hour float8[], p_measure text[], p_label text[], p_n bigint[])
returns void
language sql volatile as $$
  with counted as materialized (
    select tenant, site, date_trunc('hour', to_timestamp(hour), 'UTC') as hour, measure::usage_measure as measure, label, sum(n)::bigint as n
    from unnest(p_tenant, p_site, p_hour, p_measure, p_label, p_n) as t(tenant, site, hour, measure, label, n)
    group by 1, 2, 3, 4, 5
  ), by_hour as (
    insert into usage_hour (tenant_id, site_id, hour, measure, label, n)
    select tenant, site, hour, measure, label, n from counted order by tenant, measure, hour, site, label
    on conflict (tenant_id, measure, hour, site_id, label) do update set n = usage_hour.n + excluded.n
  )
  insert into usage_day (tenant_id, site_id, day, measure, label, n)
  select tenant, site, (hour at time zone 'utc')::date, measure, label, sum(n) from counted
  group by 1, 2, 3, 4, 5 order by tenant, measure, 3, site, label
  on conflict (tenant_id, measure, day, site_id, label) do update set n = usage_day.n + excluded.n;
$$;

-- The bucket of a value: bucket b holds what is over 1.1^(b-1) and at most 1.1^b, so that a percentile read from the
-- buckets is within 5 % of the true one, and buckets of any hours and sites add up.
create function usage_bucket(p_value float8) returns integer
language sql immutable strict as $$
  select ceil(ln(greatest(p_value, 1)) / ln(1.1))::integer;
$$;

-- When a UUIDv7 was made, to the millisecond.
create function made_at(p_id uuid) returns timestamptz
language sql immutable strict as $$
  select to_timestamp(('x' || left(replace(p_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0);
$$;

-- What the rows say that the counts of some whole hours should be: of decisions, of their feedback, and of permits from
-- `p_permits` on, where all are still there. Challenges leave no row; at least as many were taken and solved as were
-- redeemed.
create function true_usage(p_from timestamptz, p_to timestamptz, p_permits timestamptz)
returns table (tenant uuid, site uuid, hour timestamptz, measure usage_measure, label text, n bigint)
language sql stable as $$
  with redeemed as materialized (
    select d.id, d.tenant_id, d.site_id, date_trunc('hour', d.redeemed_at, 'UTC') as hour, d.challenged_at, d.solved_at, d.action, d.charged_to, d.mobile, d.solved_at is not null as was_solved,
      usage_bucket(extract(epoch from d.solved_at - d.challenged_at) * 1000) as solve_bucket,
      usage_bucket(d.work) as work_bucket, f.outcome, f.business_type
    from tenant t
    cross join lateral (
      select * from decision x
      where x.tenant_id = t.id and x.redeemed_at >= p_from and x.redeemed_at < p_to
    ) d
    left join lateral (
      select e.outcome, e.business_type from feedback_event e
      where e.decision_id = d.id and e.tenant_id = d.tenant_id order by e.revision desc limit 1
    ) f on true
    where d.charged_to <> 'test'
  ), counted as (
    select tenant_id, site_id, hour, 'redeemed'::usage_measure as measure, charged_to::text as label, count(*) as n
    from redeemed group by 1, 2, 3, 5
    union all
    select tenant_id, site_id, hour, 'solve_time', case when mobile then 'mobile ' else 'desktop ' end || solve_bucket, count(*)
    from redeemed where was_solved group by 1, 2, 3, 5
    union all
    select tenant_id, site_id, hour, 'work', work_bucket::text, count(*) from redeemed where was_solved group by 1, 2, 3, 5
    union all
    select tenant_id, site_id, hour, 'feedback_type', outcome || ' ' || business_type, count(*)
    from redeemed where outcome is not null group by 1, 2, 3, 5
    union all
    select tenant_id, site_id, hour, 'feedback_action', outcome || ' ' || action, count(*)
    from redeemed where outcome is not null group by 1, 2, 3, 5
    union all
    select tenant_id, site_id, hour, 'feedback_solve_time', outcome || ' ' || solve_bucket, count(*)
    from redeemed where outcome is not null and was_solved group by 1, 2, 3, 5
    union all
    select tenant_id, site_id, hour, 'feedback_work', outcome || ' ' || work_bucket, count(*)
    from redeemed where outcome is not null and was_solved group by 1, 2, 3, 5
    union all
    select i.tenant_id, i.site_id, date_trunc('hour', i.created_at, 'UTC'), 'permits', '', count(*)
    from tenant t
    cross join lateral (
      select * from intent x
      where x.tenant_id = t.id and x.created_at >= greatest(p_from, p_permits) and x.created_at < p_to
    ) i
    group by 1, 2, 3
    union all
    -- in the hours in which it happened, which may be before the redemption's
    select tenant_id, site_id, date_trunc('hour', f.at, 'UTC'), f.measure, '', count(*)
    from redeemed
    cross join lateral (
      values ('challenged'::usage_measure, challenged_at), ('solved', solved_at),
        ('exempted', case when not was_solved then made_at(id) end)
    ) f(measure, at)
    where f.at >= p_from group by 1, 2, 3, 4
  )
  select * from counted;
$$;

-- Mends the counts of hours that are over, and through them their days'; answers how many counts were wrong.
create function mend_usage(p_from timestamptz, p_to timestamptz, p_permits timestamptz) returns integer
language plpgsql volatile as $$
declare
  v_tenant uuid[]; v_site uuid[]; v_hour float8[]; v_measure text[]; v_label text[]; v_n bigint[];
begin
  select array_agg(tenant), array_agg(site), array_agg(extract(epoch from hour)::float8), array_agg(measure::text), array_agg(label), array_agg(n)
  into v_tenant, v_site, v_hour, v_measure, v_label, v_n
  from (
    select tenant, site, hour, measure, label, coalesce(t.n, 0) - coalesce(h.n, 0) as n
    from true_usage(p_from, p_to, p_permits) t
    full join (
      select u.tenant_id as tenant, u.site_id as site, u.hour, u.measure, u.label, u.n
      from tenant o
      cross join unnest(enum_range(null::usage_measure)) m
      join usage_hour u on u.tenant_id = o.id and u.measure = m and u.hour >= p_from and u.hour < p_to
      where m <> 'refused' and (m <> 'permits' or u.hour >= p_permits)
    ) h using (tenant, site, hour, measure, label)
  ) wrong
  -- those that leave no row are only raised
  where n > 0 or n < 0 and measure not in ('challenged', 'solved', 'exempted');
  if v_tenant is null then return 0; end if;
  perform add_usage(v_tenant, v_site, v_hour, v_measure, v_label, v_n);
  return cardinality(v_tenant);
end
$$;

-- Answers which redemptions the balance paid; all else as before.
-- Redeems permits: decision and charge in one transaction. A batch holds each permit once. `p_gate` as above;
-- `p_sealed`: the token's seal opened for this permit; `p_allowed`: the hostname is on the site's list.
-- `codes`, one letter per request:
--   'w' redeemed · 'v' redeemed, the balance paid · 'r' replay of a redemption at most 600 s old · 'i' its key with other parameters · 'd' redeemed otherwise
--   'n' no such permit or token · 'b' other action or hostname · 'h' hostname no longer allowed · 'x' expired
--   'q' no unit left · else the gate
create or replace function redeem(
  p_id uuid[], p_tenant uuid[], p_site uuid[], p_action text[], p_hostname text[], p_token bytea[], p_key bytea[],
  p_gate text[], p_sealed boolean[], p_allowed boolean[], p_metered boolean[],
  p_challenged float8[], p_solved float8[], p_work bigint[], p_reasons integer[], p_network bytea[], p_mobile boolean[],
  out codes text, out at float8
)
language plpgsql volatile as $$
declare
  v_month date := utc_month();
  v_inserted bigint; v_admitted bigint; v_quota bigint; v_balance bigint; v_want_quota bigint; v_want_balance bigint;
begin
  perform ensure_quota_periods(p_tenant, v_month);
  -- puts all redemptions of a tenant in order; tenants are locked in theirs, so that nobody waits in a circle
  perform 1 from quota_period q where q.tenant_id = any(p_tenant) and q.month = v_month order by q.tenant_id for update;

  -- a second statement: its snapshot is newer than the locks and sees whatever the last holder committed
  with judged as materialized (
    select t.*, p.grant_id, j.code, j.code = 'a' and not t.metered as free,
      greatest(coalesce(q.included - q.used, 0), 0) as included, coalesce(b.units, 0) as units
    from unnest(p_id, p_tenant, p_site, p_action, p_hostname, p_token, p_key, p_gate, p_sealed, p_allowed, p_metered,
        p_challenged, p_solved, p_work, p_reasons, p_network, p_mobile) with ordinality
      as t(id, tenant, site, action, hostname, token, key, gate, sealed, allowed, metered,
        challenged, solved, work, reasons, network, mobile, ord)
    left join intent p on p.id = t.id and p.tenant_id is not distinct from t.tenant and p.site_id is not distinct from t.site
    left join decision d on d.id = t.id and d.tenant_id is not distinct from t.tenant and d.site_id is not distinct from t.site
    left join quota_period q on q.tenant_id = t.tenant and q.month = v_month
    left join balance b on b.tenant_id = t.tenant
    cross join lateral (
      select d.redeemed_at > now() - interval '600 s' and d.key_hash = t.key as repeats,
        d.token_hash = t.token and d.action = t.action and d.hostname = t.hostname as same
    ) r
    cross join lateral (
      select case
        when r.repeats and r.same then 'r'
        when t.gate <> '' then t.gate
        when r.repeats then 'i'
        when d.id is not null then 'd'
        when p.id is null or not t.sealed then 'n'
        when p.action <> t.action or p.hostname <> t.hostname then 'b'
        when not t.allowed then 'h'
        when p.expires_at <= now() then 'x'
        else 'a' end as code
    ) j
  ), ranked as (
    select judged.*, row_number() over (partition by tenant, code, metered order by ord) as rank from judged
  ), scored as materialized (
    select ranked.*, code = 'a' and (free or rank <= included + units) as admitted,
      case when free then 'test' when rank <= included then 'quota' else 'balance' end::charged_to as charge
    from ranked
  ), inserted as (
    insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, redeemed_at, charged_to,
      challenged_at, solved_at, work, work_reasons, network, mobile, grant_id)
    select id, tenant, site, action, hostname, token, key, now(), charge,
      to_timestamp(challenged), to_timestamp(solved), work, reasons, network, mobile, grant_id
    from scored where admitted order by ord on conflict do nothing returning 1
  ), due as materialized (
    select tenant, count(*) filter (where charge = 'quota') as quota, count(*) filter (where charge = 'balance') as balance
    from scored where admitted and charge <> 'test' group by tenant
  ), from_quota as (
    update quota_period u set used = u.used + due.quota from due
    where u.tenant_id = due.tenant and u.month = v_month and due.quota > 0 and u.used + due.quota <= u.included returning 1
  ), from_balance as (
    update balance u set units = u.units - due.balance from due
    where u.tenant_id = due.tenant and due.balance > 0 and u.units >= due.balance returning 1
  )
  select string_agg(case when code <> 'a' then code when not admitted then 'q' when charge = 'balance' then 'v' else 'w' end, '' order by ord),
    (select count(*) from inserted), count(*) filter (where admitted),
    (select count(*) from from_quota), (select count(*) from due where quota > 0),
    (select count(*) from from_balance), (select count(*) from due where balance > 0)
  into codes, v_inserted, v_admitted, v_quota, v_want_quota, v_balance, v_want_balance
  from scored;

  -- the locks make this impossible; should it happen all the same, nothing of the batch may stay
  if v_inserted <> v_admitted or v_quota <> v_want_quota or v_balance <> v_want_balance then
    raise exception 'redeem: a charge does not match its decision' using errcode = '40001';
  end if;
  at := extract(epoch from now())::float8;
end
$$;

-- Records what a merchant found out about a decision. `counts`: of a new record, what usage is to count it by. `code`:
--   'o' recorded or recorded before · 'n' no such decision · 't' occurred before the redemption or after now
--   'e' the event was used with other fields · 'c' later than 7 days · 's' supersedes missing · 'S' not the latest
--   else the gate
drop function report_feedback;
create function report_feedback(
  p_tenant uuid, p_site uuid, p_decision uuid, p_event uuid, p_outcome feedback_outcome, p_type text, p_occurred float8,
  p_supersedes uuid, p_gate text,
  out code text, out revision integer, out expires_at float8, out counts jsonb
)
language plpgsql volatile as $$
declare
  d decision; e feedback_event; last feedback_event;
begin
  select * into d from decision where decision.id = p_decision and tenant_id is not distinct from p_tenant and site_id is not distinct from p_site;
  if not found then code := 'n'; return; end if;
  if p_occurred < floor(extract(epoch from d.redeemed_at)) or p_occurred > floor(extract(epoch from now())) then code := 't'; return; end if;
  expires_at := floor(extract(epoch from d.redeemed_at)) + 604800;
  -- whoever lost a race, for the event or for the revision, looks again and finds the winner's
  loop
    select * into e from feedback_event f where f.site_id = p_site and f.event_id = p_event and f.tenant_id is not distinct from p_tenant;
    if found then
      revision := e.revision;
      code := case when e.decision_id = p_decision and e.outcome = p_outcome and e.business_type = p_type
        and e.occurred_at = to_timestamp(p_occurred) and e.supersedes is not distinct from p_supersedes then 'o'
        when p_gate <> '' then p_gate else 'e' end;
      return;
    end if;
    if p_gate <> '' then code := p_gate; return; end if;
    if extract(epoch from now()) >= expires_at then code := 'c'; return; end if;
    select * into last from feedback_event f where f.decision_id = p_decision and f.tenant_id is not distinct from p_tenant order by f.revision desc limit 1;
    if found and p_supersedes is null then code := 's'; return; end if;
    if p_supersedes is distinct from last.event_id then code := 'S'; return; end if;
    revision := coalesce(last.revision, 0) + 1;
    insert into feedback_event (site_id, event_id, tenant_id, decision_id, revision, outcome, business_type, occurred_at, supersedes)
    values (p_site, p_event, p_tenant, p_decision, revision, p_outcome, p_type, to_timestamp(p_occurred), p_supersedes)
    on conflict do nothing;
    if found then
      code := 'o';
      counts := jsonb_build_object('at', extract(epoch from d.redeemed_at) * 1000, 'action', d.action,
        'solve', usage_bucket(extract(epoch from d.solved_at - d.challenged_at) * 1000), 'work', usage_bucket(d.work),
        'was', case when last.event_id is not null then jsonb_build_object('outcome', last.outcome, 'type', last.business_type) end);
      return;
    end if;
  end loop;
end
$$;
