-- AlterTable
ALTER TABLE "reconciliations" ADD COLUMN     "chargebacks" INTEGER,
ADD COLUMN     "settlements" JSONB;

