-- AlterTable
ALTER TABLE "sale_evidence" ADD COLUMN     "country_confirmed_at" TIMESTAMPTZ(0);

