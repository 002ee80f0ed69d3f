-- DropIndex
DROP INDEX "order_withdrawals_order_id_storefront_id_testmode_key";

-- AlterTable
ALTER TABLE "order_withdrawals" DROP CONSTRAINT "order_withdrawals_pkey",
ADD COLUMN     "checkout_line_ids" TEXT[],
ADD COLUMN     "number" INTEGER NOT NULL DEFAULT 1,
ADD CONSTRAINT "order_withdrawals_pkey" PRIMARY KEY ("order_id", "number");

ALTER TABLE "order_withdrawals" ALTER COLUMN "number" DROP DEFAULT;

-- So far a withdrawal was about all lines of an order, without digital content that had begun with the buyer's consent.
UPDATE "order_withdrawals" w SET "checkout_line_ids" = ARRAY(
  SELECT l."id" FROM "orders" o JOIN "checkout_lines" l ON l."checkout_id" = o."checkout_id"
  WHERE o."id" = w."order_id" AND (l."product_type" <> 'ebook' OR NOT o."begins_at_once")
  ORDER BY l."position"
);
