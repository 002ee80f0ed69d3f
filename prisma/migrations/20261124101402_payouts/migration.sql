-- CreateTable
CREATE TABLE "payouts" (
    "id" TEXT NOT NULL,
    "storefront_id" TEXT NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "currency" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "status" TEXT NOT NULL,
    "by_hand" BOOLEAN NOT NULL,
    "reference" TEXT,
    "account_id" TEXT,
    "batch_id" TEXT,
    "created_at" TIMESTAMPTZ(0) NOT NULL,
    "finished_at" TIMESTAMPTZ(0),

    CONSTRAINT "payouts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payout_batches" (
    "id" TEXT NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "storefront_id" TEXT,
    "currency" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "total" BIGINT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "payout_batches_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "payouts_storefront_id_testmode_id_idx" ON "payouts"("storefront_id", "testmode", "id");

-- CreateIndex
CREATE INDEX "payouts_batch_id_idx" ON "payouts"("batch_id");

-- CreateIndex
CREATE UNIQUE INDEX "payouts_storefront_id_testmode_reference_key" ON "payouts"("storefront_id", "testmode", "reference");

-- CreateIndex
CREATE UNIQUE INDEX "payout_batches_id_testmode_key" ON "payout_batches"("id", "testmode");

-- AddForeignKey
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_storefront_id_fkey" FOREIGN KEY ("storefront_id") REFERENCES "storefronts"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_account_id_storefront_id_testmode_fkey" FOREIGN KEY ("account_id", "storefront_id", "testmode") REFERENCES "payout_accounts"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_batch_id_testmode_fkey" FOREIGN KEY ("batch_id", "testmode") REFERENCES "payout_batches"("id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;


ALTER TABLE "payouts"
  ADD CONSTRAINT "payouts_status" CHECK ("status" IN ('requested', 'exported', 'paid', 'returned', 'canceled')),
  ADD CONSTRAINT "payouts_amount" CHECK ("amount" > 0),
  ADD CONSTRAINT "payouts_in_a_file" CHECK (
    ("batch_id" IS NOT NULL) = (NOT "by_hand" AND "status" IN ('exported', 'paid', 'returned'))
    AND ("account_id" IS NOT NULL) = ("batch_id" IS NOT NULL)
    AND ("status" IN ('paid', 'returned') OR NOT "by_hand")),
  ADD CONSTRAINT "payouts_finished" CHECK (("finished_at" IS NOT NULL) = ("status" IN ('paid', 'returned', 'canceled')));
ALTER TABLE "payout_batches"
  ADD CONSTRAINT "payout_batches_scope" CHECK (("storefront_id" IS NOT NULL) = "testmode");
CREATE INDEX "payouts_requested" ON "payouts" ("id") WHERE "status" = 'requested';

-- Payouts were entries of the ledger alone, with the reference in their id.
INSERT INTO "payouts" ("id", "storefront_id", "testmode", "currency", "amount", "status", "by_hand", "reference", "created_at", "finished_at")
SELECT subject_id, storefront_id, testmode, currency, amount, 'paid', true,
  CASE WHEN starts_with(subject_id, prefix) THEN substr(subject_id, length(prefix) + 1) END, created_at, created_at
FROM ledger_entries, LATERAL (SELECT 'payout_' || storefront_id || CASE WHEN testmode THEN '_test_' ELSE '_live_' END AS prefix) AS named
WHERE cause = 'payout.created' AND account = 'merchant_balance';
