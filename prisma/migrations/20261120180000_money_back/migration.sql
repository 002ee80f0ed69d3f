-- DropIndex
DROP INDEX "ledger_entries_storefront_id_testmode_account_idx";

-- AlterTable. What was booked before is about orders that were paid.
ALTER TABLE "ledger_entries" ADD COLUMN     "subject_id" TEXT COLLATE "C";
ALTER TABLE "ledger_entries" DISABLE TRIGGER USER;
UPDATE "ledger_entries" SET "subject_id" = "order_id";
ALTER TABLE "ledger_entries" ENABLE TRIGGER USER;
ALTER TABLE "ledger_entries" ALTER COLUMN "subject_id" SET NOT NULL;

-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "corrected_at" TIMESTAMPTZ(0),
ADD COLUMN     "credited_order_id" TEXT COLLATE "C",
ADD COLUMN     "refunding_subtotal" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "enabled_since" TIMESTAMPTZ(0);

-- CreateTable
CREATE TABLE "sandbox_refunds" (
    "ref" TEXT COLLATE "C" NOT NULL,
    "idempotency_key" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "payment_ref" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "sandbox_refunds_pkey" PRIMARY KEY ("ref")
);

-- CreateTable
CREATE TABLE "sandbox_refusals" (
    "idempotency_key" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "sandbox_refusals_pkey" PRIMARY KEY ("idempotency_key")
);

-- CreateTable
CREATE TABLE "sandbox_chargebacks" (
    "ref" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "payment_ref" TEXT COLLATE "C" NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "sandbox_chargebacks_pkey" PRIMARY KEY ("ref")
);

-- CreateTable
CREATE TABLE "refunds" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "order_id" TEXT COLLATE "C" NOT NULL,
    "customer_id" TEXT COLLATE "C" NOT NULL,
    "status" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "tax_summary" JSONB NOT NULL,
    "metadata" TEXT,
    "fee_returned" BIGINT NOT NULL DEFAULT 0,
    "window_ends_at" TIMESTAMPTZ(0) NOT NULL,
    "credit_note_id" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(0) NOT NULL,
    "finished_at" TIMESTAMPTZ(0),

    CONSTRAINT "refunds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "chargebacks" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "order_id" TEXT COLLATE "C" NOT NULL,
    "customer_id" TEXT COLLATE "C" NOT NULL,
    "provider_ref" TEXT COLLATE "C" NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "settlement_amount" BIGINT NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "tax_summary" JSONB NOT NULL,
    "credit_note_id" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(0) NOT NULL,
    "finished_at" TIMESTAMPTZ(0),

    CONSTRAINT "chargebacks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reversal_lines" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "order_id" TEXT COLLATE "C" NOT NULL,
    "order_line_id" TEXT COLLATE "C" NOT NULL,
    "refund_id" TEXT COLLATE "C",
    "chargeback_id" TEXT COLLATE "C",
    "position" INTEGER NOT NULL,
    "description" TEXT NOT NULL,
    "quantity" INTEGER NOT NULL,
    "base_price" TEXT NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "taxes" JSONB NOT NULL,

    CONSTRAINT "reversal_lines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_versions" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "order_id" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL,
    "customer_details" JSONB NOT NULL,
    "issued_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "invoice_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_links" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "order_id" TEXT COLLATE "C" NOT NULL,
    "draft" JSONB,
    "expires_at" TIMESTAMPTZ(0) NOT NULL,
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "invoice_links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_accounts" (
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "currency" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "awaited" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "ledger_accounts_pkey" PRIMARY KEY ("storefront_id","testmode","currency","account")
);

-- CreateTable
CREATE TABLE "invariant_checks" (
    "day" TEXT COLLATE "C" NOT NULL,
    "finished_at" TIMESTAMPTZ(3) NOT NULL,
    "broken" JSONB NOT NULL,

    CONSTRAINT "invariant_checks_pkey" PRIMARY KEY ("day")
);

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_refunds_idempotency_key_key" ON "sandbox_refunds"("idempotency_key");

-- CreateIndex
CREATE INDEX "sandbox_refunds_payment_ref_idx" ON "sandbox_refunds"("payment_ref");

-- CreateIndex
CREATE INDEX "sandbox_chargebacks_payment_ref_idx" ON "sandbox_chargebacks"("payment_ref");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_credit_note_id_key" ON "refunds"("credit_note_id");

-- CreateIndex
CREATE INDEX "refunds_storefront_id_testmode_id_idx" ON "refunds"("storefront_id", "testmode", "id");

-- CreateIndex
CREATE INDEX "refunds_order_id_id_idx" ON "refunds"("order_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_id_storefront_id_testmode_key" ON "refunds"("id", "storefront_id", "testmode");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_credit_note_id_storefront_id_testmode_key" ON "refunds"("credit_note_id", "storefront_id", "testmode");

-- CreateIndex
CREATE UNIQUE INDEX "chargebacks_provider_ref_key" ON "chargebacks"("provider_ref");

-- CreateIndex
CREATE UNIQUE INDEX "chargebacks_credit_note_id_key" ON "chargebacks"("credit_note_id");

-- CreateIndex
CREATE INDEX "chargebacks_storefront_id_testmode_id_idx" ON "chargebacks"("storefront_id", "testmode", "id");

-- CreateIndex
CREATE INDEX "chargebacks_order_id_id_idx" ON "chargebacks"("order_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "chargebacks_id_storefront_id_testmode_key" ON "chargebacks"("id", "storefront_id", "testmode");

-- CreateIndex
CREATE UNIQUE INDEX "chargebacks_credit_note_id_storefront_id_testmode_key" ON "chargebacks"("credit_note_id", "storefront_id", "testmode");

-- CreateIndex
CREATE INDEX "reversal_lines_order_id_idx" ON "reversal_lines"("order_id");

-- CreateIndex
CREATE INDEX "reversal_lines_order_line_id_idx" ON "reversal_lines"("order_line_id");

-- CreateIndex
CREATE UNIQUE INDEX "reversal_lines_refund_id_position_key" ON "reversal_lines"("refund_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "reversal_lines_chargeback_id_position_key" ON "reversal_lines"("chargeback_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "invoice_versions_order_id_version_key" ON "invoice_versions"("order_id", "version");

-- CreateIndex
CREATE INDEX "invoice_links_order_id_idx" ON "invoice_links"("order_id");

-- CreateIndex
CREATE INDEX "ledger_entries_storefront_id_testmode_id_idx" ON "ledger_entries"("storefront_id", "testmode", "id");

-- CreateIndex
CREATE INDEX "ledger_entries_order_id_idx" ON "ledger_entries"("order_id");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_entries_subject_id_cause_account_key" ON "ledger_entries"("subject_id", "cause", "account");

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_credited_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("credited_order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_credit_note_id_storefront_id_testmode_fkey" FOREIGN KEY ("credit_note_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "chargebacks" ADD CONSTRAINT "chargebacks_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "chargebacks" ADD CONSTRAINT "chargebacks_credit_note_id_storefront_id_testmode_fkey" FOREIGN KEY ("credit_note_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "reversal_lines" ADD CONSTRAINT "reversal_lines_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reversal_lines" ADD CONSTRAINT "reversal_lines_order_line_id_fkey" FOREIGN KEY ("order_line_id") REFERENCES "order_lines"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reversal_lines" ADD CONSTRAINT "reversal_lines_refund_id_storefront_id_testmode_fkey" FOREIGN KEY ("refund_id", "storefront_id", "testmode") REFERENCES "refunds"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "reversal_lines" ADD CONSTRAINT "reversal_lines_chargeback_id_storefront_id_testmode_fkey" FOREIGN KEY ("chargeback_id", "storefront_id", "testmode") REFERENCES "chargebacks"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "invoice_versions" ADD CONSTRAINT "invoice_versions_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_links" ADD CONSTRAINT "invoice_links_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE RESTRICT ON UPDATE CASCADE;


-- Rules the schema language cannot say.
ALTER TABLE "orders" DROP CONSTRAINT "orders_numbered_iff_paid", DROP CONSTRAINT "orders_reversed_within_subtotal",
    ADD CONSTRAINT "orders_numbered_iff_paid" CHECK (("invoice_number" IS NOT NULL) = ("status" = 'paid' AND ("total" > 0 OR "credited_order_id" IS NOT NULL))),
    ADD CONSTRAINT "orders_reversed_within_subtotal" CHECK ("reversed_subtotal" >= 0 AND "refunding_subtotal" >= 0 AND "reversed_subtotal" + "refunding_subtotal" <= GREATEST("subtotal", 0)),
    ADD CONSTRAINT "orders_reversed_once_paid" CHECK ("status" = 'paid' OR "reversed_subtotal" + "refunding_subtotal" = 0),
    ADD CONSTRAINT "orders_credit_notes_are_final" CHECK ("credited_order_id" IS NULL OR ("status" = 'paid' AND "reversed_subtotal" + "refunding_subtotal" = 0));
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_status" CHECK ("status" IN ('pending', 'queued', 'processing', 'refunded', 'failed', 'canceled')),
    ADD CONSTRAINT "refunds_of_something" CHECK ("subtotal" > 0 AND "total" >= "subtotal"),
    ADD CONSTRAINT "refunds_credit_note_iff_refunded" CHECK (("credit_note_id" IS NOT NULL) = ("status" = 'refunded')),
    ADD CONSTRAINT "refunds_finished" CHECK (("finished_at" IS NOT NULL) = ("status" IN ('refunded', 'failed', 'canceled')));
ALTER TABLE "chargebacks" ADD CONSTRAINT "chargebacks_status" CHECK ("status" IN ('pending', 'requires_amount_review', 'accepted', 'rejected', 'evidence_submitted', 'won', 'lost')),
    ADD CONSTRAINT "chargebacks_of_something" CHECK ("amount" > 0 AND "settlement_amount" >= "amount" AND "subtotal" >= 0 AND "total" BETWEEN "subtotal" AND "amount"),
    ADD CONSTRAINT "chargebacks_held_count_nothing" CHECK ("status" NOT IN ('requires_amount_review', 'rejected') OR "total" = 0),
    ADD CONSTRAINT "chargebacks_credit_note_iff_gone" CHECK (("credit_note_id" IS NOT NULL) = ("status" IN ('accepted', 'lost'))),
    ADD CONSTRAINT "chargebacks_finished" CHECK (("finished_at" IS NOT NULL) = ("status" IN ('accepted', 'rejected', 'won', 'lost')));
ALTER TABLE "reversal_lines" ADD CONSTRAINT "reversal_lines_of_one" CHECK (("refund_id" IS NULL) <> ("chargeback_id" IS NULL)),
    ADD CONSTRAINT "reversal_lines_of_something" CHECK ("subtotal" >= 0 AND "total" >= "subtotal");
ALTER TABLE "sandbox_refunds" ADD CONSTRAINT "sandbox_refunds_status" CHECK ("status" IN ('refunded', 'failed'));
ALTER TABLE "sandbox_chargebacks" ADD CONSTRAINT "sandbox_chargebacks_status" CHECK ("status" IN ('pending', 'evidence_submitted', 'accepted', 'won', 'lost'));
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account" CHECK ("account" IN
    ('provider_clearing', 'merchant_balance', 'tax_payable', 'platform_fee', 'refunds', 'chargebacks', 'provider_fees', 'payouts'));
CREATE INDEX "refunds_pending" ON "refunds" ("storefront_id", "testmode", "currency", "window_ends_at") WHERE "status" = 'pending';
CREATE INDEX "refunds_queued" ON "refunds" ("storefront_id", "testmode", "currency", "id") WHERE "status" = 'queued';

-- Books are written forward only: a mistake is corrected by another entry.
CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'ledger entries are append-only: % is refused', TG_OP;
END $$;
CREATE TRIGGER "ledger_is_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_entries"
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

-- A session's own table of the same name must not be looked at instead.
CREATE OR REPLACE FUNCTION ledger_balances() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    is_uneven boolean;
BEGIN
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I.%I WHERE "transaction_id" = $1 GROUP BY "currency" HAVING SUM("amount") <> 0)',
        TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO is_uneven USING NEW."transaction_id";
    IF is_uneven THEN
        RAISE EXCEPTION 'ledger transaction % does not sum to zero', NEW."transaction_id";
    END IF;
    RETURN NULL;
END $$;

-- What was booked so far.
INSERT INTO "ledger_accounts" ("storefront_id", "testmode", "currency", "account", "amount")
    SELECT "storefront_id", "testmode", "currency", "account", sum("amount") FROM "ledger_entries" GROUP BY 1, 2, 3, 4;
