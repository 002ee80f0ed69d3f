-- AlterTable
ALTER TABLE "refunds" ADD COLUMN     "recalled_at" TIMESTAMPTZ(0);

