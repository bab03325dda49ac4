-- AlterTable
ALTER TABLE "incident" ADD COLUMN     "share_token" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "incident_share_token_key" ON "incident"("share_token");
