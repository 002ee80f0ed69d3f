-- Tax of live mode: what registries say of tax IDs, and what decided the tax of each sale.
-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "accepted_tax_id" TEXT;

-- CreateTable
CREATE TABLE "tax_id_checks" (
    "tax_id" TEXT NOT NULL,
    "result" TEXT NOT NULL,
    "name" TEXT,
    "address" TEXT,
    "consultation_number" TEXT,
    "checked_at" TIMESTAMPTZ(0) NOT NULL,
    "attempts" INTEGER NOT NULL,

    CONSTRAINT "tax_id_checks_pkey" PRIMARY KEY ("tax_id")
);

-- CreateTable
CREATE TABLE "tax_evidence" (
    "order_id" TEXT NOT NULL,
    "storefront_id" TEXT NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "declared_country" TEXT NOT NULL,
    "postal_code" TEXT,
    "ip_country" TEXT,
    "tax_id" TEXT,
    "tax_id_result" TEXT,
    "consultation_number" TEXT,
    "reason" TEXT NOT NULL,
    "decided_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "tax_evidence_pkey" PRIMARY KEY ("order_id")
);

-- AddForeignKey
ALTER TABLE "tax_evidence" ADD CONSTRAINT "tax_evidence_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;


ALTER TABLE "tax_id_checks" ADD CONSTRAINT "tax_id_checks_result" CHECK ("result" IN ('valid', 'invalid', 'unknown'));
ALTER TABLE "tax_evidence" ADD CONSTRAINT "tax_evidence_result" CHECK ("tax_id_result" IN ('valid', 'invalid', 'unknown'));
ALTER TABLE "tax_evidence" ADD CONSTRAINT "tax_evidence_reason" CHECK ("reason" IN ('standard', 'reverse_charge', 'outside_scope'));
