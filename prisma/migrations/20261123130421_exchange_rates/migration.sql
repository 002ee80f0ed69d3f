-- Reference rates of the European Central Bank, at which live mode sells in other currencies.
-- AlterTable
ALTER TABLE "sale_evidence" ADD COLUMN     "exchange_rate_on" DATE;

-- CreateTable
CREATE TABLE "exchange_rates" (
    "currency" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "rate" TEXT NOT NULL,
    "fetched_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "exchange_rates_pkey" PRIMARY KEY ("currency","day")
);

