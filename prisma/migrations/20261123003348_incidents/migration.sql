-- CreateEnum
CREATE TYPE "incident_kind" AS ENUM ('work', 'refusals');

-- AlterTable
ALTER TABLE "site" ADD COLUMN     "attack_until" TIMESTAMPTZ(3),
ADD COLUMN     "incident_mailed_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "incident" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "site_id" UUID NOT NULL,
    "kind" "incident_kind" NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "peak" DOUBLE PRECISION NOT NULL,
    "usual" DOUBLE PRECISION NOT NULL,
    "action" TEXT,
    "hostname" TEXT,
    "cause" TEXT,
    "networks" INTEGER NOT NULL,
    "work_from" INTEGER NOT NULL,
    "work_to" INTEGER NOT NULL,
    "honest_work" INTEGER NOT NULL,
    "announced_at" TIMESTAMPTZ(3),
    "end_announced_at" TIMESTAMPTZ(3),

    CONSTRAINT "incident_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "incident_tenant_id_started_at_idx" ON "incident"("tenant_id", "started_at");
