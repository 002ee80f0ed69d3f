-- CreateTable
CREATE TABLE "merchants" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "merchants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operators" (
    "id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "operators_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "storefronts" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "storefronts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "hash" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "clocks" (
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "ahead_seconds" BIGINT NOT NULL DEFAULT 0,
    "frozen_at" TIMESTAMPTZ(0),
    "advancing_to" TIMESTAMPTZ(0),
    "moved_by" TEXT,
    "driver" TEXT,
    "driven_until" TIMESTAMPTZ(3),

    CONSTRAINT "clocks_pkey" PRIMARY KEY ("storefront_id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "method" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "claim" TEXT NOT NULL,
    "leased_until" TIMESTAMPTZ(3) NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("storefront_id","testmode","method","route","key")
);

-- CreateTable
CREATE TABLE "tasks" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "clock" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "ring_at" TIMESTAMPTZ(3) NOT NULL,
    "leased_until" TIMESTAMPTZ(3),
    "generation" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tasks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "name" TEXT NOT NULL,
    "entity_type" TEXT NOT NULL,
    "entity_id" TEXT COLLATE "C" NOT NULL,
    "cause" TEXT COLLATE "C" NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "slot" INTEGER,
    "url" TEXT NOT NULL,
    "claimed_url" TEXT,
    "sealed_secret" BYTEA NOT NULL,
    "enabled_events" TEXT[],
    "created_at" TIMESTAMPTZ(0) NOT NULL,
    "deleted_at" TIMESTAMPTZ(0),

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "event_id" TEXT COLLATE "C" NOT NULL,
    "endpoint_id" TEXT COLLATE "C" NOT NULL,
    "entity_id" TEXT COLLATE "C" NOT NULL,
    "cause" TEXT COLLATE "C" NOT NULL,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3),
    "first_answered_at" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery_attempts" (
    "id" TEXT COLLATE "C" NOT NULL,
    "delivery_id" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "answer" TEXT,

    CONSTRAINT "delivery_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "products" (
    "id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "price" BIGINT NOT NULL,
    "tax_behavior" TEXT NOT NULL,
    "product_type" TEXT NOT NULL,
    "interval" TEXT,
    "interval_count" INTEGER,
    "status" TEXT NOT NULL,
    "review" TEXT,
    "pending" JSONB,
    "rejection_reason" TEXT,
    "archived_at" TIMESTAMPTZ(0),
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "products_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "customers" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "metadata" TEXT,
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "customers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "checkouts" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL,
    "customer_id" TEXT COLLATE "C",
    "tax_behavior" TEXT NOT NULL,
    "redirect_url_success" TEXT NOT NULL,
    "redirect_url_canceled" TEXT NOT NULL,
    "metadata" TEXT,
    "locale" TEXT,
    "billing_address" JSONB NOT NULL,
    "draft" JSONB,
    "expires_at" TIMESTAMPTZ(0) NOT NULL,
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "checkouts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "checkout_lines" (
    "id" TEXT COLLATE "C" NOT NULL,
    "checkout_id" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "product_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "unit_price" BIGINT NOT NULL,
    "quantity" INTEGER NOT NULL,
    "product_type" TEXT NOT NULL,
    "interval" TEXT,
    "interval_count" INTEGER,
    "trial_days" INTEGER,
    "metadata" TEXT,

    CONSTRAINT "checkout_lines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "orders" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "checkout_id" TEXT COLLATE "C",
    "customer_id" TEXT COLLATE "C",
    "status" TEXT NOT NULL,
    "payment_method" TEXT,
    "currency" TEXT NOT NULL,
    "exchange_rate" TEXT,
    "tax_behavior" TEXT NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "reversed_subtotal" BIGINT NOT NULL DEFAULT 0,
    "tax_summary" JSONB NOT NULL,
    "customer_details" JSONB NOT NULL,
    "seller" JSONB NOT NULL,
    "locale" TEXT NOT NULL,
    "metadata" TEXT,
    "invoice_number" TEXT,
    "invoice_scope" TEXT,
    "created_at" TIMESTAMPTZ(0) NOT NULL,
    "paid_at" TIMESTAMPTZ(0),

    CONSTRAINT "orders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "order_lines" (
    "id" TEXT COLLATE "C" NOT NULL,
    "order_id" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "description" TEXT NOT NULL,
    "quantity" INTEGER NOT NULL,
    "base_price" TEXT NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "taxes" JSONB NOT NULL,
    "product_type" TEXT,
    "product_id" TEXT COLLATE "C",

    CONSTRAINT "order_lines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payments" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "order_id" TEXT COLLATE "C" NOT NULL,
    "checkout_id" TEXT COLLATE "C",
    "method" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "failure_reason" TEXT,
    "makes_mandate" BOOLEAN NOT NULL,
    "provider" TEXT NOT NULL,
    "provider_ref" TEXT,
    "paid_order_id" TEXT COLLATE "C",
    "open_order_id" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(0) NOT NULL,
    "finished_at" TIMESTAMPTZ(0),

    CONSTRAINT "payments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_payments" (
    "ref" TEXT COLLATE "C" NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "method" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "makes_mandate" BOOLEAN NOT NULL,
    "locale" TEXT NOT NULL,
    "return_url" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "failure_reason" TEXT,
    "mandate" TEXT,
    "settles_at" TIMESTAMPTZ(0),
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "sandbox_payments_pkey" PRIMARY KEY ("ref")
);

-- CreateTable
CREATE TABLE "mandates" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "customer_id" TEXT COLLATE "C" NOT NULL,
    "method" TEXT NOT NULL,
    "masked_identifier" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "mandates_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscriptions" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "customer_id" TEXT COLLATE "C" NOT NULL,
    "subscription_plan_id" TEXT COLLATE "C" NOT NULL,
    "checkout_line_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "billing_address" JSONB NOT NULL,
    "currency" TEXT NOT NULL,
    "price" BIGINT NOT NULL,
    "tax_behavior" TEXT NOT NULL,
    "quantity" INTEGER NOT NULL,
    "interval" TEXT NOT NULL,
    "interval_count" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "cancellation_reason" TEXT,
    "mandate_id" TEXT COLLATE "C",
    "anchor_at" TIMESTAMPTZ(0),
    "cycle" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(0),
    "ended_at" TIMESTAMPTZ(0),
    "canceled_at" TIMESTAMPTZ(0),
    "renewed_at" TIMESTAMPTZ(0),
    "renewed_until" TIMESTAMPTZ(0),
    "trial_until" TIMESTAMPTZ(0),
    "scheduled_update" JSONB,
    "locale" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_series" (
    "scope" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "last" BIGINT NOT NULL,

    CONSTRAINT "invoice_series_pkey" PRIMARY KEY ("scope","name")
);

-- CreateTable
CREATE TABLE "ledger_entries" (
    "id" TEXT COLLATE "C" NOT NULL,
    "transaction_id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "order_id" TEXT COLLATE "C",
    "cause" TEXT COLLATE "C" NOT NULL,
    "account" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "ledger_entries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "operators_email_key" ON "operators"("email");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

-- CreateIndex
CREATE INDEX "api_keys_storefront_id_idx" ON "api_keys"("storefront_id");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE INDEX "tasks_ring_at_idx" ON "tasks"("ring_at");

-- CreateIndex
CREATE INDEX "tasks_storefront_id_clock_due_at_idx" ON "tasks"("storefront_id", "clock", "due_at");

-- CreateIndex
CREATE UNIQUE INDEX "tasks_name_key_key" ON "tasks"("name", "key");

-- CreateIndex
CREATE INDEX "events_storefront_id_testmode_id_idx" ON "events"("storefront_id", "testmode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "events_id_storefront_id_testmode_key" ON "events"("id", "storefront_id", "testmode");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoints_id_storefront_id_testmode_key" ON "webhook_endpoints"("id", "storefront_id", "testmode");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoints_storefront_id_testmode_slot_key" ON "webhook_endpoints"("storefront_id", "testmode", "slot");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoints_storefront_id_testmode_claimed_url_key" ON "webhook_endpoints"("storefront_id", "testmode", "claimed_url");

-- CreateIndex
CREATE INDEX "deliveries_endpoint_id_status_event_id_idx" ON "deliveries"("endpoint_id", "status", "event_id");

-- CreateIndex
CREATE INDEX "deliveries_storefront_id_testmode_id_idx" ON "deliveries"("storefront_id", "testmode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "deliveries_event_id_endpoint_id_key" ON "deliveries"("event_id", "endpoint_id");

-- CreateIndex
CREATE UNIQUE INDEX "delivery_attempts_delivery_id_number_key" ON "delivery_attempts"("delivery_id", "number");

-- CreateIndex
CREATE INDEX "products_storefront_id_testmode_kind_id_idx" ON "products"("storefront_id", "testmode", "kind", "id");

-- CreateIndex
CREATE INDEX "products_review_testmode_idx" ON "products"("review", "testmode");

-- CreateIndex
CREATE UNIQUE INDEX "products_id_storefront_id_testmode_key" ON "products"("id", "storefront_id", "testmode");

-- CreateIndex
CREATE INDEX "customers_storefront_id_testmode_id_idx" ON "customers"("storefront_id", "testmode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "customers_id_storefront_id_testmode_key" ON "customers"("id", "storefront_id", "testmode");

-- CreateIndex
CREATE UNIQUE INDEX "customers_storefront_id_testmode_email_key" ON "customers"("storefront_id", "testmode", "email");

-- CreateIndex
CREATE INDEX "checkouts_storefront_id_testmode_id_idx" ON "checkouts"("storefront_id", "testmode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "checkouts_id_storefront_id_testmode_key" ON "checkouts"("id", "storefront_id", "testmode");

-- CreateIndex
CREATE UNIQUE INDEX "checkout_lines_checkout_id_position_key" ON "checkout_lines"("checkout_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "orders_checkout_id_key" ON "orders"("checkout_id");

-- CreateIndex
CREATE INDEX "orders_storefront_id_testmode_id_idx" ON "orders"("storefront_id", "testmode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "orders_id_storefront_id_testmode_key" ON "orders"("id", "storefront_id", "testmode");

-- CreateIndex
CREATE UNIQUE INDEX "orders_checkout_id_storefront_id_testmode_key" ON "orders"("checkout_id", "storefront_id", "testmode");

-- CreateIndex
CREATE UNIQUE INDEX "orders_invoice_scope_invoice_number_key" ON "orders"("invoice_scope", "invoice_number");

-- CreateIndex
CREATE UNIQUE INDEX "order_lines_order_id_position_key" ON "order_lines"("order_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "payments_provider_ref_key" ON "payments"("provider_ref");

-- CreateIndex
CREATE UNIQUE INDEX "payments_paid_order_id_key" ON "payments"("paid_order_id");

-- CreateIndex
CREATE UNIQUE INDEX "payments_open_order_id_key" ON "payments"("open_order_id");

-- CreateIndex
CREATE INDEX "payments_order_id_idx" ON "payments"("order_id");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_payments_idempotency_key_key" ON "sandbox_payments"("idempotency_key");

-- CreateIndex
CREATE UNIQUE INDEX "mandates_id_storefront_id_testmode_key" ON "mandates"("id", "storefront_id", "testmode");

-- CreateIndex
CREATE UNIQUE INDEX "subscriptions_checkout_line_id_key" ON "subscriptions"("checkout_line_id");

-- CreateIndex
CREATE INDEX "subscriptions_storefront_id_testmode_id_idx" ON "subscriptions"("storefront_id", "testmode", "id");

-- CreateIndex
CREATE INDEX "subscriptions_storefront_id_testmode_customer_id_id_idx" ON "subscriptions"("storefront_id", "testmode", "customer_id", "id");

-- CreateIndex
CREATE INDEX "subscriptions_subscription_plan_id_idx" ON "subscriptions"("subscription_plan_id");

-- CreateIndex
CREATE INDEX "ledger_entries_transaction_id_idx" ON "ledger_entries"("transaction_id");

-- CreateIndex
CREATE INDEX "ledger_entries_storefront_id_testmode_account_idx" ON "ledger_entries"("storefront_id", "testmode", "account");

-- AddForeignKey
ALTER TABLE "storefronts" ADD CONSTRAINT "storefronts_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_storefront_id_fkey" FOREIGN KEY ("storefront_id") REFERENCES "storefronts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "clocks" ADD CONSTRAINT "clocks_storefront_id_fkey" FOREIGN KEY ("storefront_id") REFERENCES "storefronts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_endpoint_id_storefront_id_testmode_fkey" FOREIGN KEY ("endpoint_id", "storefront_id", "testmode") REFERENCES "webhook_endpoints"("id", "storefront_id", "testmode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "deliveries"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_customer_id_storefront_id_testmode_fkey" FOREIGN KEY ("customer_id", "storefront_id", "testmode") REFERENCES "customers"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "checkout_lines" ADD CONSTRAINT "checkout_lines_checkout_id_fkey" FOREIGN KEY ("checkout_id") REFERENCES "checkouts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_checkout_id_storefront_id_testmode_fkey" FOREIGN KEY ("checkout_id", "storefront_id", "testmode") REFERENCES "checkouts"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_customer_id_storefront_id_testmode_fkey" FOREIGN KEY ("customer_id", "storefront_id", "testmode") REFERENCES "customers"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mandates" ADD CONSTRAINT "mandates_customer_id_storefront_id_testmode_fkey" FOREIGN KEY ("customer_id", "storefront_id", "testmode") REFERENCES "customers"("id", "storefront_id", "testmode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_customer_id_storefront_id_testmode_fkey" FOREIGN KEY ("customer_id", "storefront_id", "testmode") REFERENCES "customers"("id", "storefront_id", "testmode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_mandate_id_storefront_id_testmode_fkey" FOREIGN KEY ("mandate_id", "storefront_id", "testmode") REFERENCES "mandates"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;


-- Rules the schema language cannot say. Ids sort by bytes wherever the database lives, hence COLLATE "C" above.
ALTER TABLE "orders" ADD CONSTRAINT "orders_numbered_iff_paid" CHECK (("invoice_number" IS NOT NULL) = ("status" = 'paid' AND "total" > 0)),
    ADD CONSTRAINT "orders_paid_at_iff_paid" CHECK (("paid_at" IS NOT NULL) = ("status" = 'paid')),
    ADD CONSTRAINT "orders_reversed_within_subtotal" CHECK ("reversed_subtotal" BETWEEN 0 AND GREATEST("subtotal", 0)),
    ADD CONSTRAINT "orders_status" CHECK ("status" IN ('created', 'pending', 'paid', 'canceled', 'expired'));
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_status" CHECK ("status" IN ('created', 'paid', 'canceled', 'failed', 'expired'));
ALTER TABLE "payments" ADD CONSTRAINT "payments_status" CHECK ("status" IN ('created', 'open', 'pending', 'paid', 'failed', 'canceled', 'expired')),
    ADD CONSTRAINT "payments_paid_order" CHECK (("paid_order_id" IS NOT NULL) = ("status" = 'paid')),
    ADD CONSTRAINT "payments_open_order" CHECK (("open_order_id" IS NOT NULL) = ("status" IN ('created', 'open', 'pending')));
ALTER TABLE "products" ADD CONSTRAINT "products_status" CHECK ("status" IN ('active', 'pending', 'rejected')),
    ADD CONSTRAINT "products_plan_interval" CHECK (("kind" = 'subscription_plan') = ("interval" IS NOT NULL AND "interval_count" IS NOT NULL));
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_status" CHECK ("status" IN ('created', 'trial', 'active', 'canceled', 'on_grace_period', 'paused')),
    ADD CONSTRAINT "subscriptions_times" CHECK (
        CASE "status"
            WHEN 'created' THEN "started_at" IS NULL AND "canceled_at" IS NULL AND "ended_at" IS NULL
            WHEN 'on_grace_period' THEN "canceled_at" IS NOT NULL AND "ended_at" IS NULL
            WHEN 'canceled' THEN "ended_at" IS NOT NULL
            ELSE "started_at" IS NOT NULL AND "renewed_until" IS NOT NULL AND "canceled_at" IS NULL AND "ended_at" IS NULL
        END);
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_slot" CHECK ("slot" BETWEEN 1 AND 5),
    ADD CONSTRAINT "webhook_endpoints_deleted" CHECK (("deleted_at" IS NULL) = ("slot" IS NOT NULL) AND ("deleted_at" IS NULL) = ("claimed_url" IS NOT NULL));
ALTER TABLE "clocks" ADD CONSTRAINT "clocks_frozen_iff_advancing" CHECK (("frozen_at" IS NULL) = ("advancing_to" IS NULL));

-- Each transaction of the ledger sums to zero per currency; checked when the transaction commits.
CREATE FUNCTION ledger_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM "ledger_entries" WHERE "transaction_id" = NEW."transaction_id" GROUP BY "currency" HAVING SUM("amount") <> 0) THEN
        RAISE EXCEPTION 'ledger transaction % does not sum to zero', NEW."transaction_id";
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "ledger_balances" AFTER INSERT OR UPDATE ON "ledger_entries"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_balances();
