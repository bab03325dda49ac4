-- CreateTable
CREATE TABLE "sealing_key" (
    "id" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "first_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_start_at" TIMESTAMPTZ(6),

    CONSTRAINT "sealing_key_pkey" PRIMARY KEY ("id")
);
