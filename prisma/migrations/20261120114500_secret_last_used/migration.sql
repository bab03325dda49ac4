-- AlterTable
ALTER TABLE "secret" ADD COLUMN     "last_used_at" TIMESTAMPTZ(3);
