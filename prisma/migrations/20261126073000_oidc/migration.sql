-- AlterEnum
ALTER TYPE "actor_type" ADD VALUE 'oidc';

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "account_id" UUID,
ADD COLUMN     "mfa" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "sid" TEXT;

-- CreateIndex
CREATE INDEX "session_account_id_idx" ON "session"("account_id");

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
