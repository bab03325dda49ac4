-- CreateTable
CREATE TABLE "reconciliation_checkpoint" (
    "tenant_id" UUID NOT NULL,
    "until" TIMESTAMPTZ(6) NOT NULL,
    "counts" JSONB NOT NULL,

    CONSTRAINT "reconciliation_checkpoint_pkey" PRIMARY KEY ("tenant_id")
);

-- CreateTable
CREATE TABLE "decision_archive" (
    "day" DATE NOT NULL,
    "file" TEXT NOT NULL,
    "rows" BIGINT NOT NULL,
    "deleted" BIGINT NOT NULL DEFAULT 0,
    "sha256" TEXT NOT NULL,
    "written_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "decision_archive_pkey" PRIMARY KEY ("day")
);

-- CreateTable
CREATE TABLE "archived_decisions" (
    "tenant_id" UUID NOT NULL,
    "month" DATE NOT NULL,
    "charged_to" "charged_to" NOT NULL,
    "n" BIGINT NOT NULL,

    CONSTRAINT "archived_decisions_pkey" PRIMARY KEY ("tenant_id","month","charged_to")
);
