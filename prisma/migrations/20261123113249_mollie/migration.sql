-- Payments in live mode by Mollie: what was asked of it, and what it says of payments and mandates beyond their status.
-- AlterTable
ALTER TABLE "mandates" ADD COLUMN     "reference" TEXT;

-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "country" TEXT,
ADD COLUMN     "returned_at" TIMESTAMPTZ(0),
ADD COLUMN     "settles_before" TIMESTAMPTZ(0);

-- CreateTable
CREATE TABLE "mollie_payments" (
    "payment_id" TEXT NOT NULL,
    "customer_ref" TEXT,
    "ref" TEXT,
    "asked_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "mollie_payments_pkey" PRIMARY KEY ("payment_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "mollie_payments_ref_key" ON "mollie_payments"("ref");

-- AddForeignKey
ALTER TABLE "mollie_payments" ADD CONSTRAINT "mollie_payments_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;


ALTER TABLE "payments" ADD CONSTRAINT "payments_country" CHECK ("country" ~ '^[A-Z]{2}$');
-- Only money of a payment that did not pay its order goes back by itself.
ALTER TABLE "payments" ADD CONSTRAINT "payments_returned" CHECK ("returned_at" IS NULL OR "status" IN ('failed', 'canceled', 'expired'));
