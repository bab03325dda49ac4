-- AlterTable
ALTER TABLE "decision" ADD COLUMN     "grant_id" UUID;
