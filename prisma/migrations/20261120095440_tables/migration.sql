-- CreateEnum
CREATE TYPE "charged_to" AS ENUM ('quota', 'balance', 'test');

-- CreateTable
CREATE TABLE "tenant" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "monthly_quota" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "suspended_at" TIMESTAMPTZ(3),

    CONSTRAINT "tenant_pkey" PRIMARY KEY ("id")
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

    CONSTRAINT "site_pkey" PRIMARY KEY ("id")
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

    CONSTRAINT "secret_pkey" PRIMARY KEY ("id")
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
    "mobile" BOOLEAN,

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
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "balance_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_event" (
    "id" UUID NOT NULL,
    "tenant_id" UUID,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "tenant_slug_key" ON "tenant"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "site_sitekey_key" ON "site"("sitekey");

-- CreateIndex
CREATE INDEX "site_tenant_id_created_at_idx" ON "site"("tenant_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "secret_hash_key" ON "secret"("hash");

-- CreateIndex
CREATE INDEX "secret_site_id_created_at_idx" ON "secret"("site_id", "created_at");

-- CreateIndex
CREATE INDEX "intent_tenant_id_created_at_idx" ON "intent"("tenant_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "intent_site_id_nonce_tenant_id_key" ON "intent"("site_id", "nonce", "tenant_id");

-- CreateIndex
CREATE INDEX "decision_tenant_id_redeemed_at_idx" ON "decision"("tenant_id", "redeemed_at");

-- CreateIndex
CREATE INDEX "decision_site_id_redeemed_at_idx" ON "decision"("site_id", "redeemed_at");

-- CreateIndex
CREATE INDEX "balance_entry_tenant_id_created_at_idx" ON "balance_entry"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "audit_event_tenant_id_created_at_idx" ON "audit_event"("tenant_id", "created_at");

-- AddForeignKey
ALTER TABLE "site" ADD CONSTRAINT "site_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hostname" ADD CONSTRAINT "hostname_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "secret" ADD CONSTRAINT "secret_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;
