-- CreateTable
CREATE TABLE "kept_file" (
    "path" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "kept_file_pkey" PRIMARY KEY ("path")
);
