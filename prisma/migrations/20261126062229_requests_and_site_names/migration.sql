-- CreateEnum
CREATE TYPE "quota_request_state" AS ENUM ('waiting', 'approved', 'declined');

-- CreateTable
CREATE TABLE "deleted_site" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "deleted_site_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "quota_request" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "units" BIGINT NOT NULL,
    "reason" TEXT NOT NULL,
    "asked_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "state" "quota_request_state" NOT NULL DEFAULT 'waiting',
    "granted" BIGINT,
    "answer" TEXT,
    "answered_by" UUID,
    "answered_at" TIMESTAMPTZ(3),
    "second_lead" UUID,

    CONSTRAINT "quota_request_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "deleted_site_tenant_id_idx" ON "deleted_site"("tenant_id");

-- CreateIndex
CREATE UNIQUE INDEX "quota_request_second_lead_key" ON "quota_request"("second_lead");

-- CreateIndex
CREATE INDEX "quota_request_tenant_id_created_at_idx" ON "quota_request"("tenant_id", "created_at");

-- The names of sites that were deleted before.
INSERT INTO "deleted_site" ("id", "tenant_id", "name")
SELECT DISTINCT ON ("target") "target"::uuid, "tenant_id", "before"->>'name' FROM "audit_event"
WHERE "action" = 'site.delete' AND "tenant_id" IS NOT NULL AND "before"->>'name' IS NOT NULL
ORDER BY "target", "created_at" DESC;
