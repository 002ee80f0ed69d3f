-- Locks: payments (ACCESS EXCLUSIVE), orders (ACCESS EXCLUSIVE), sandbox_returns (ACCESS EXCLUSIVE)
-- A direct debit that the bank returned opens its order again, with its invoice.
ALTER TABLE "payments" ADD COLUMN "return_ref" TEXT COLLATE "C", ADD COLUMN "return_fee" BIGINT;
CREATE UNIQUE INDEX "payments_return_ref_key" ON "payments"("return_ref");
ALTER TABLE "payments" ADD CONSTRAINT "payments_return_ref" CHECK (
  ("return_ref" IS NULL) = ("return_fee" IS NULL) AND ("return_ref" IS NULL OR ("status" = 'failed' AND "returned_at" IS NOT NULL)));
ALTER TABLE "sandbox_returns" ADD COLUMN "code" TEXT NOT NULL DEFAULT 'AM04';
ALTER TABLE "orders" DROP CONSTRAINT "orders_paid_at_iff_paid";
ALTER TABLE "orders" ADD CONSTRAINT "orders_paid_at" CHECK (
  CASE WHEN "status" = 'paid' THEN "paid_at" IS NOT NULL ELSE "paid_at" IS NULL OR ("invoice_number" IS NOT NULL AND "status" IN ('pending', 'canceled')) END);
ALTER TABLE "orders" DROP CONSTRAINT "orders_numbered_iff_paid";
ALTER TABLE "orders" ADD CONSTRAINT "orders_numbered" CHECK (
  CASE WHEN "status" = 'paid' THEN ("invoice_number" IS NOT NULL) = ("total" > 0 OR "credited_order_id" IS NOT NULL)
    ELSE "invoice_number" IS NULL OR ("paid_at" IS NOT NULL AND "status" IN ('pending', 'canceled')) END);
