-- A dispute charges the merchant what counts of the order and the provider's fee. What was charged over that is given back by an
-- entry of its own: books are written forward only. One that was won was given back whole.
CREATE TEMP TABLE "overcharged" ON COMMIT DROP AS
    SELECT c."id", c."order_id", c."storefront_id", c."testmode", c."currency", entry."account", entry."moved", row_number() OVER (PARTITION BY c."id") AS "n",
        clock_timestamp() + CASE WHEN c."testmode" THEN coalesce(k."ahead_seconds", 0) ELSE 0 END * interval '1 second' AS "now"
    FROM "chargebacks" c LEFT JOIN "clocks" k ON k."storefront_id" = c."storefront_id",
    LATERAL (VALUES ('merchant_balance', c."total" - c."amount"),
        (CASE WHEN c."status" IN ('accepted', 'lost') THEN 'provider_clearing' ELSE 'chargebacks' END, c."amount" - c."total")) entry ("account", "moved")
    WHERE c."status" IN ('pending', 'evidence_submitted', 'accepted', 'lost') AND c."amount" > c."total";

INSERT INTO "ledger_entries" ("id", "transaction_id", "storefront_id", "testmode", "order_id", "subject_id", "cause", "account", "currency", "amount", "created_at")
    SELECT 'entry_' || substr("id", 12, 21) || "n", 'ledger_' || substr("id", 12), "storefront_id", "testmode", "order_id", "id",
        'chargeback.corrected', "account", "currency", "moved", "now" FROM "overcharged";

INSERT INTO "ledger_accounts" AS kept ("storefront_id", "testmode", "currency", "account", "amount")
    SELECT "storefront_id", "testmode", "currency", "account", sum("moved") FROM "overcharged" GROUP BY 1, 2, 3, 4
    ON CONFLICT ("storefront_id", "testmode", "currency", "account") DO UPDATE SET "amount" = kept."amount" + EXCLUDED."amount";

-- Refunds that wait for a balance that has grown by it go on.
INSERT INTO "tasks" ("id", "name", "key", "storefront_id", "testmode", "clock", "data", "due_at", "ring_at", "created_at")
    SELECT 'task_' || min(substr(o."id", 12)), 'ledger.balance_grew', concat_ws(' ', o."storefront_id", CASE WHEN o."testmode" THEN 'test' ELSE 'live' END, o."currency"),
        o."storefront_id", o."testmode", CASE WHEN o."testmode" THEN 'storefront' ELSE 'real' END, jsonb_build_object('currency', o."currency"),
        min(o."now"), clock_timestamp(), clock_timestamp()
    FROM "overcharged" o JOIN "ledger_accounts" a ON (a."storefront_id", a."testmode", a."currency") = (o."storefront_id", o."testmode", o."currency")
    WHERE a."account" = 'merchant_balance' AND a."awaited" GROUP BY o."storefront_id", o."testmode", o."currency"
    ON CONFLICT ("name", "key") DO NOTHING;

-- What is charged follows from what counts, so the fee alone is kept.
ALTER TABLE "chargebacks" ADD COLUMN "provider_fee" BIGINT;
UPDATE "chargebacks" SET "provider_fee" = "settlement_amount" - "amount";
ALTER TABLE "chargebacks" ALTER COLUMN "provider_fee" SET NOT NULL,
    DROP CONSTRAINT "chargebacks_of_something", DROP COLUMN "settlement_amount",
    ADD CONSTRAINT "chargebacks_of_something" CHECK ("amount" > 0 AND "provider_fee" >= 0 AND "subtotal" >= 0 AND "total" BETWEEN "subtotal" AND "amount");
