-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "verifying_subscription_id" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "billing_link_id" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "sandbox_payments" ADD COLUMN     "returns" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable: until now the test provider knew a mandate by our id.
ALTER TABLE "mandates" ADD COLUMN     "provider_ref" TEXT COLLATE "C";
UPDATE "mandates" SET "provider_ref" = "id";
ALTER TABLE "mandates" ALTER COLUMN "provider_ref" SET NOT NULL;

-- CreateTable
CREATE TABLE "sandbox_returns" (
    "mandate_ref" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "sandbox_returns_pkey" PRIMARY KEY ("mandate_ref")
);

-- CreateIndex
CREATE UNIQUE INDEX "orders_verifying_subscription_id_key" ON "orders"("verifying_subscription_id");

-- CreateIndex
CREATE INDEX "payments_billing_link_id_idx" ON "payments"("billing_link_id");

-- CreateIndex
CREATE UNIQUE INDEX "billing_links_id_storefront_id_testmode_key" ON "billing_links"("id", "storefront_id", "testmode");

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_billing_link_id_storefront_id_testmode_fkey" FOREIGN KEY ("billing_link_id", "storefront_id", "testmode") REFERENCES "billing_links"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;


-- Rules the schema language cannot say.
ALTER TABLE "orders" ADD CONSTRAINT "orders_verification" CHECK ("verifying_subscription_id" IS NULL OR
    ("verifying_subscription_id" = "subscription_id" AND "total" = 0 AND "status" IN ('created', 'pending')));
ALTER TABLE "payments" ADD CONSTRAINT "payments_of_one_kind" CHECK (num_nonnulls("checkout_id", "billing_link_id", "mandate_id") <= 1);
