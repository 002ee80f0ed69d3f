-- AlterTable
ALTER TABLE "mandates" ADD COLUMN     "revoked_at" TIMESTAMPTZ(0);

