-- CreateEnum
CREATE TYPE "work_mode" AS ENUM ('adaptive', 'fixed', 'attack');

-- CreateEnum
CREATE TYPE "feedback_outcome" AS ENUM ('confirmed_abuse', 'legitimate', 'unknown');

-- AlterTable
ALTER TABLE "site" ADD COLUMN     "grant_max_ttl" INTEGER NOT NULL DEFAULT 3600,
ADD COLUMN     "grant_max_uses" INTEGER NOT NULL DEFAULT 10,
ADD COLUMN     "grants_enabled" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "rate_burst" INTEGER NOT NULL DEFAULT 400,
ADD COLUMN     "rate_per_second" INTEGER NOT NULL DEFAULT 200,
ADD COLUMN     "subject_limit" INTEGER NOT NULL DEFAULT 20,
ADD COLUMN     "work_mode" "work_mode" NOT NULL DEFAULT 'adaptive';

-- CreateTable
CREATE TABLE "captcha_grant" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "site_id" UUID NOT NULL,
    "decision_id" UUID NOT NULL,
    "session" TEXT NOT NULL,
    "uses" INTEGER NOT NULL,
    "used" INTEGER NOT NULL DEFAULT 0,
    "ttl_asked" INTEGER NOT NULL,
    "uses_asked" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "captcha_grant_pkey" PRIMARY KEY ("id","tenant_id")
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

-- CreateIndex
CREATE INDEX "captcha_grant_site_id_session_idx" ON "captcha_grant"("site_id", "session");

-- CreateIndex
CREATE INDEX "captcha_grant_tenant_id_created_at_idx" ON "captcha_grant"("tenant_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "captcha_grant_decision_id_tenant_id_key" ON "captcha_grant"("decision_id", "tenant_id");

-- CreateIndex
CREATE INDEX "feedback_event_tenant_id_created_at_idx" ON "feedback_event"("tenant_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "feedback_event_decision_id_revision_tenant_id_key" ON "feedback_event"("decision_id", "revision", "tenant_id");
