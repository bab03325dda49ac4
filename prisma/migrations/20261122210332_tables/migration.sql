-- CreateEnum
CREATE TYPE "work_mode" AS ENUM ('adaptive', 'fixed', 'attack');

-- CreateEnum
CREATE TYPE "challenge_kind" AS ENUM ('sha256', 'hashwx', 'auto');

-- CreateEnum
CREATE TYPE "network_verdict" AS ENUM ('allow', 'dear', 'deny');

-- CreateEnum
CREATE TYPE "role" AS ENUM ('owner', 'admin', 'developer', 'billing', 'viewer');

-- CreateEnum
CREATE TYPE "staff_level" AS ENUM ('support', 'lead');

-- CreateEnum
CREATE TYPE "unit_kind" AS ENUM ('quota', 'balance');

-- CreateEnum
CREATE TYPE "feedback_outcome" AS ENUM ('confirmed_abuse', 'legitimate', 'unknown');

-- CreateEnum
CREATE TYPE "redeem_status" AS ENUM ('redeemed_from_quota', 'redeemed_from_balance', 'redeemed_as_test', 'replayed', 'rate_limited', 'site_disabled', 'idempotency_conflict', 'already_redeemed', 'response_invalid', 'binding_mismatch', 'hostname_not_allowed', 'intent_expired', 'quota_exceeded');

-- CreateEnum
CREATE TYPE "open_status" AS ENUM ('opened', 'replayed', 'intent_expired', 'nonce_conflict', 'grant_invalid', 'quota_exceeded', 'rate_limited', 'site_disabled', 'grants_disabled');

-- CreateEnum
CREATE TYPE "grant_status" AS ENUM ('issued', 'replayed', 'grant_exists', 'grant_invalid', 'decision_unknown', 'rate_limited', 'site_disabled', 'grants_disabled');

-- CreateEnum
CREATE TYPE "feedback_status" AS ENUM ('recorded', 'replayed', 'decision_unknown', 'occurred_at_invalid', 'event_conflict', 'feedback_closed', 'supersede_required', 'supersede_stale', 'rate_limited', 'site_disabled');

-- CreateEnum
CREATE TYPE "charged_to" AS ENUM ('quota', 'balance', 'test');

-- CreateEnum
CREATE TYPE "actor_type" AS ENUM ('user', 'staff', 'operator');

-- CreateEnum
CREATE TYPE "usage_measure" AS ENUM ('intents', 'challenged', 'solved', 'exempted', 'redeemed', 'refused', 'solve_time', 'work', 'feedback_type', 'feedback_action', 'feedback_solve_time', 'feedback_work');

-- CreateTable
CREATE TABLE "tenant" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "monthly_quota" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "suspended_at" TIMESTAMPTZ(3),
    "suspended_for" TEXT,
    "demo" BOOLEAN NOT NULL DEFAULT false,
    "deleted_at" TIMESTAMPTZ(3),
    "require_2fa" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "tenant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "slug_hold" (
    "slug" TEXT NOT NULL,
    "tenant_id" UUID NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "slug_hold_pkey" PRIMARY KEY ("slug")
);

-- CreateTable
CREATE TABLE "site" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "sitekey" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "paused_at" TIMESTAMPTZ(3),
    "base_work" INTEGER NOT NULL DEFAULT 1048576,
    "work_mode" "work_mode" NOT NULL DEFAULT 'adaptive',
    "challenge_kind" "challenge_kind" NOT NULL DEFAULT 'auto',
    "refuse_automation" BOOLEAN NOT NULL DEFAULT false,
    "actions" JSONB NOT NULL DEFAULT '[]',
    "shadow" JSONB,
    "shadow_since" TIMESTAMPTZ(3),
    "grants_enabled" BOOLEAN NOT NULL DEFAULT true,
    "grant_max_ttl" INTEGER NOT NULL DEFAULT 3600,
    "grant_max_uses" INTEGER NOT NULL DEFAULT 10,
    "grant_renewal" INTEGER NOT NULL DEFAULT 86400,
    "rate_per_second" INTEGER NOT NULL DEFAULT 200,
    "rate_burst" INTEGER NOT NULL DEFAULT 400,
    "subject_limit" INTEGER NOT NULL DEFAULT 20,
    "network_limit" INTEGER NOT NULL DEFAULT 60,

    CONSTRAINT "site_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "network_rule" (
    "id" UUID NOT NULL,
    "tenant_id" UUID,
    "site_id" UUID,
    "network" TEXT NOT NULL,
    "verdict" "network_verdict" NOT NULL,
    "note" TEXT NOT NULL,
    "actor_type" "actor_type" NOT NULL,
    "actor_id" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "network_rule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hostname" (
    "site_id" UUID NOT NULL,
    "hostname" TEXT NOT NULL,
    "tenant_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "hostname_pkey" PRIMARY KEY ("site_id","hostname")
);

-- CreateTable
CREATE TABLE "secret" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "site_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "last4" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "refused_at" TIMESTAMPTZ(3),
    "used_by" TEXT,
    "used_from" TEXT,

    CONSTRAINT "secret_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "two_factor_enabled" BOOLEAN NOT NULL DEFAULT false,
    "staff_level" "staff_level",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verification" (
    "id" UUID NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "verification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "passkey" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT,
    "public_key" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "counter" INTEGER NOT NULL,
    "device_type" TEXT NOT NULL,
    "backed_up" BOOLEAN NOT NULL,
    "transports" TEXT,
    "aaguid" TEXT,
    "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "two_factor" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "secret" TEXT NOT NULL,
    "backup_codes" TEXT NOT NULL,
    "verified" BOOLEAN NOT NULL DEFAULT true,
    "failed_verification_count" INTEGER NOT NULL DEFAULT 0,
    "failed_since" TIMESTAMPTZ(3),
    "locked_until" TIMESTAMPTZ(3),
    "lock_count" INTEGER NOT NULL DEFAULT 0,
    "last_used_step" INTEGER,

    CONSTRAINT "two_factor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "member" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "member_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invitation" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "inviter_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
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
CREATE TABLE "account_event" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "network" TEXT,
    "user_agent" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "unit_request" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "kind" "unit_kind" NOT NULL,
    "units" BIGINT NOT NULL,
    "reason" TEXT NOT NULL,
    "asked_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_by" UUID,
    "decided_at" TIMESTAMPTZ(3),
    "approved" BOOLEAN,

    CONSTRAINT "unit_request_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "intent" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "site_id" UUID NOT NULL,
    "nonce" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "hostname" TEXT NOT NULL,
    "session" TEXT,
    "subject" TEXT,
    "grant_id" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "intent_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateTable
CREATE TABLE "captcha_grant" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "site_id" UUID NOT NULL,
    "decision_id" UUID NOT NULL,
    "session" TEXT,
    "uses" INTEGER NOT NULL,
    "ttl_asked" INTEGER NOT NULL,
    "uses_asked" INTEGER NOT NULL,
    "solved_at" TIMESTAMPTZ(3),
    "used" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "captcha_grant_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateTable
CREATE TABLE "grant_revocation" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "target" TEXT NOT NULL,
    "grant_ids" UUID[],
    "revoked_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "grant_revocation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "feedback_event" (
    "site_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "decision_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "outcome" "feedback_outcome" NOT NULL,
    "business_type" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "supersedes" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "feedback_event_pkey" PRIMARY KEY ("site_id","event_id","tenant_id")
);

-- CreateTable
CREATE TABLE "feedback_mark" (
    "decision_id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "network" BYTEA,
    "area" BYTEA,
    "subject" BYTEA,
    "marked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "withdrawn_at" TIMESTAMPTZ(3),
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "feedback_mark_pkey" PRIMARY KEY ("decision_id","tenant_id")
);

-- CreateTable
CREATE TABLE "challenge_counts" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "weights" JSONB NOT NULL,
    "written_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "challenge_counts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "kept_file" (
    "path" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "mac" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "kept_file_pkey" PRIMARY KEY ("path")
);

-- CreateTable
CREATE TABLE "decision" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "site_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "hostname" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "redeemed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "charged_to" "charged_to" NOT NULL,
    "challenged_at" TIMESTAMPTZ(3),
    "solved_at" TIMESTAMPTZ(3),
    "work" BIGINT,
    "work_reasons" INTEGER NOT NULL DEFAULT 0,
    "network" BYTEA,
    "area" BYTEA,
    "subject" BYTEA,
    "mobile" BOOLEAN,
    "grant_id" UUID,

    CONSTRAINT "decision_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateTable
CREATE TABLE "quota_period" (
    "tenant_id" UUID NOT NULL,
    "month" DATE NOT NULL,
    "included" BIGINT NOT NULL,
    "used" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "quota_period_pkey" PRIMARY KEY ("tenant_id","month")
);

-- CreateTable
CREATE TABLE "balance" (
    "tenant_id" UUID NOT NULL,
    "units" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "balance_pkey" PRIMARY KEY ("tenant_id")
);

-- CreateTable
CREATE TABLE "balance_entry" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "units" BIGINT NOT NULL,
    "reason" TEXT NOT NULL,
    "actor_type" "actor_type" NOT NULL,
    "actor_id" TEXT NOT NULL,
    "undoes" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "balance_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "quota_change" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "units_before" BIGINT NOT NULL,
    "units_after" BIGINT NOT NULL,
    "reason" TEXT,
    "actor_type" "actor_type" NOT NULL,
    "actor_id" TEXT NOT NULL,
    "undoes" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "quota_change_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reconciliation_run" (
    "id" UUID NOT NULL,
    "tenants" INTEGER NOT NULL,
    "decisions" BIGINT NOT NULL,
    "differing" INTEGER NOT NULL,
    "mismatches" JSONB NOT NULL,
    "events" BIGINT NOT NULL,
    "audit_faults" INTEGER NOT NULL,
    "faults" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reconciliation_run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_event" (
    "id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "salt" BYTEA,
    "tenant_id" UUID,
    "actor_type" "actor_type" NOT NULL,
    "actor_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_head" (
    "tenant_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("tenant_id")
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
CREATE UNIQUE INDEX "tenant_slug_key" ON "tenant"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "site_sitekey_key" ON "site"("sitekey");

-- CreateIndex
CREATE INDEX "site_tenant_id_created_at_idx" ON "site"("tenant_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "network_rule_site_id_network_key" ON "network_rule"("site_id", "network");

-- CreateIndex
CREATE UNIQUE INDEX "secret_hash_key" ON "secret"("hash");

-- CreateIndex
CREATE INDEX "secret_site_id_created_at_idx" ON "secret"("site_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "user_email_key" ON "user"("email");

-- CreateIndex
CREATE UNIQUE INDEX "session_token_key" ON "session"("token");

-- CreateIndex
CREATE INDEX "session_user_id_idx" ON "session"("user_id");

-- CreateIndex
CREATE INDEX "account_user_id_idx" ON "account"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "account_provider_id_account_id_key" ON "account"("provider_id", "account_id");

-- CreateIndex
CREATE INDEX "verification_identifier_idx" ON "verification"("identifier");

-- CreateIndex
CREATE UNIQUE INDEX "passkey_credential_id_key" ON "passkey"("credential_id");

-- CreateIndex
CREATE INDEX "passkey_user_id_idx" ON "passkey"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "two_factor_user_id_key" ON "two_factor"("user_id");

-- CreateIndex
CREATE INDEX "member_user_id_idx" ON "member"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "member_tenant_id_user_id_key" ON "member"("tenant_id", "user_id");

-- CreateIndex
CREATE INDEX "invitation_tenant_id_created_at_idx" ON "invitation"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "invitation_email_idx" ON "invitation"("email");

-- CreateIndex
CREATE INDEX "staff_note_subject_created_at_idx" ON "staff_note"("subject", "created_at");

-- CreateIndex
CREATE INDEX "staff_note_tenant_id_created_at_idx" ON "staff_note"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "view_as_user_id_tenant_id_idx" ON "view_as"("user_id", "tenant_id");

-- CreateIndex
CREATE INDEX "view_as_tenant_id_started_at_idx" ON "view_as"("tenant_id", "started_at");

-- CreateIndex
CREATE INDEX "account_event_user_id_created_at_idx" ON "account_event"("user_id", "created_at");

-- CreateIndex
CREATE INDEX "account_event_created_at_idx" ON "account_event"("created_at");

-- CreateIndex
CREATE INDEX "unit_request_created_at_idx" ON "unit_request"("created_at");

-- CreateIndex
CREATE INDEX "intent_tenant_id_created_at_idx" ON "intent"("tenant_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "intent_site_id_nonce_tenant_id_key" ON "intent"("site_id", "nonce", "tenant_id");

-- CreateIndex
CREATE INDEX "captcha_grant_site_id_session_idx" ON "captcha_grant"("site_id", "session");

-- CreateIndex
CREATE INDEX "captcha_grant_tenant_id_created_at_idx" ON "captcha_grant"("tenant_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "captcha_grant_decision_id_tenant_id_key" ON "captcha_grant"("decision_id", "tenant_id");

-- CreateIndex
CREATE INDEX "grant_revocation_revoked_at_idx" ON "grant_revocation"("revoked_at");

-- CreateIndex
CREATE INDEX "feedback_event_tenant_id_created_at_idx" ON "feedback_event"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "feedback_event_event_id_idx" ON "feedback_event"("event_id");

-- CreateIndex
CREATE UNIQUE INDEX "feedback_event_decision_id_revision_tenant_id_key" ON "feedback_event"("decision_id", "revision", "tenant_id");

-- CreateIndex
CREATE INDEX "feedback_mark_changed_at_idx" ON "feedback_mark"("changed_at");

-- CreateIndex
CREATE INDEX "feedback_mark_tenant_id_marked_at_idx" ON "feedback_mark"("tenant_id", "marked_at");

-- CreateIndex
CREATE INDEX "decision_tenant_id_redeemed_at_idx" ON "decision"("tenant_id", "redeemed_at");

-- CreateIndex
CREATE INDEX "decision_site_id_redeemed_at_idx" ON "decision"("site_id", "redeemed_at");

-- CreateIndex
CREATE UNIQUE INDEX "balance_entry_undoes_key" ON "balance_entry"("undoes");

-- CreateIndex
CREATE INDEX "balance_entry_tenant_id_created_at_idx" ON "balance_entry"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "quota_change_tenant_id_created_at_idx" ON "quota_change"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "reconciliation_run_created_at_idx" ON "reconciliation_run"("created_at");

-- CreateIndex
CREATE INDEX "audit_event_tenant_id_created_at_idx" ON "audit_event"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "audit_event_created_at_idx" ON "audit_event"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "audit_event_tenant_id_seq_key" ON "audit_event"("tenant_id", "seq");

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

-- AddForeignKey
ALTER TABLE "site" ADD CONSTRAINT "site_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "network_rule" ADD CONSTRAINT "network_rule_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hostname" ADD CONSTRAINT "hostname_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "secret" ADD CONSTRAINT "secret_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account" ADD CONSTRAINT "account_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passkey" ADD CONSTRAINT "passkey_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "two_factor" ADD CONSTRAINT "two_factor_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_inviter_id_fkey" FOREIGN KEY ("inviter_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staff_note" ADD CONSTRAINT "staff_note_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "view_as" ADD CONSTRAINT "view_as_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_event" ADD CONSTRAINT "account_event_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
