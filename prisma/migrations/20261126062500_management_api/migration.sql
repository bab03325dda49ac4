-- AlterEnum
ALTER TYPE "actor_type" ADD VALUE 'key';

-- AlterTable: the slug of an existing site is made of its name
ALTER TABLE "site" ADD COLUMN     "slug" TEXT NOT NULL DEFAULT ('site-'::text || substr(gen_random_uuid()::text, 1, 8));
UPDATE "site" s SET "slug" = n.slug || CASE WHEN n.nth = 1 THEN '' ELSE '-' || right(s.id::text, 8) END
FROM (
  SELECT id, slug, row_number() OVER (PARTITION BY tenant_id, slug ORDER BY id) AS nth
  FROM (
    SELECT id, tenant_id,
      coalesce(nullif(trim(BOTH '-' FROM left(regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g'), 32)), ''), 'site') AS slug
    FROM "site"
  ) named
) n WHERE n.id = s.id;
CREATE UNIQUE INDEX "site_tenant_id_slug_key" ON "site"("tenant_id", "slug");

-- CreateTable
CREATE TABLE "api_key" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "last4" TEXT NOT NULL,
    "scopes" TEXT[],
    "sites" UUID[],
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "used_from" TEXT,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_reply" (
    "id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "request" BYTEA NOT NULL,
    "reply" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_reply_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_tenant_id_created_at_idx" ON "api_key"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "api_reply_created_at_idx" ON "api_reply"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "api_reply_key_id_name_key" ON "api_reply"("key_id", "name");

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "user"("id") ON DELETE SET NULL ON UPDATE CASCADE;
