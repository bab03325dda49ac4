-- AlterTable
ALTER TABLE "member" ADD COLUMN     "incident_emails" BOOLEAN NOT NULL DEFAULT true;
