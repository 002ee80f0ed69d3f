-- Whose figure the rate of an order is, and the further currencies in which its invoice states the VAT.
-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "exchange_rate_on" DATE,
ADD COLUMN     "exchange_rate_source" TEXT,
ADD COLUMN     "vat_stated_in" JSONB;

-- A rate that the bank had published before the order was made is the bank's; all others are built in.
UPDATE "orders" SET "exchange_rate_on" = (
    SELECT max("day") FROM "exchange_rates" published
    WHERE published."currency" = "orders"."currency" AND published."rate" = "orders"."exchange_rate"
      AND published."day" <= "orders"."created_at"::date)
WHERE "exchange_rate" IS NOT NULL AND NOT "testmode";
UPDATE "orders" SET "exchange_rate_source" = CASE WHEN "exchange_rate_on" IS NULL THEN 'built_in' ELSE 'ecb' END
WHERE "exchange_rate" IS NOT NULL;

ALTER TABLE "orders" ADD CONSTRAINT "orders_exchange_rate_source" CHECK (
    ("exchange_rate" IS NULL) = ("exchange_rate_source" IS NULL)
    AND coalesce("exchange_rate_source", '') IN ('', 'ecb', 'built_in')
    AND ("exchange_rate_on" IS NOT NULL) = (coalesce("exchange_rate_source", '') = 'ecb'));
