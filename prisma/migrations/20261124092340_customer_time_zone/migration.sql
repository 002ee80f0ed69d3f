-- AlterTable
ALTER TABLE "customers" ADD COLUMN     "time_zone" TEXT;

