-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "immediate_at" TIMESTAMPTZ(3),
ADD COLUMN     "subscription_id" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "mandate_id" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "sandbox_payments" ADD COLUMN     "mandate_ref" TEXT COLLATE "C",
ALTER COLUMN "locale" DROP NOT NULL,
ALTER COLUMN "return_url" DROP NOT NULL;

-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "parked" JSONB,
ADD COLUMN     "period_end" TIMESTAMPTZ(0),
ADD COLUMN     "period_paid" BIGINT,
ADD COLUMN     "period_seconds" BIGINT,
ADD COLUMN     "period_start" TIMESTAMPTZ(0);

-- CreateTable
CREATE TABLE "sandbox_declines" (
    "mandate_ref" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "failure_reason" TEXT NOT NULL,

    CONSTRAINT "sandbox_declines_pkey" PRIMARY KEY ("mandate_ref")
);

-- CreateTable
CREATE TABLE "subscription_periods" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "subscription_id" TEXT COLLATE "C" NOT NULL,
    "start_at" TIMESTAMPTZ(0) NOT NULL,
    "end_at" TIMESTAMPTZ(0) NOT NULL,
    "order_id" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "subscription_periods_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "billing_links" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "subscription_id" TEXT COLLATE "C" NOT NULL,
    "redirect_url_success" TEXT,
    "redirect_url_canceled" TEXT,
    "billing_address" JSONB,
    "draft" JSONB,
    "expires_at" TIMESTAMPTZ(0) NOT NULL,
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "billing_links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recoveries" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "subscription_id" TEXT COLLATE "C" NOT NULL,
    "order_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT NOT NULL,
    "failure_reason" TEXT NOT NULL,
    "simulated" BOOLEAN NOT NULL,
    "steps_done" INTEGER NOT NULL DEFAULT 0,
    "next_step_at" TIMESTAMPTZ(0),
    "status" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(0) NOT NULL,
    "finished_at" TIMESTAMPTZ(0),

    CONSTRAINT "recoveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mails" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "kind" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "status" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(0) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "mails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "fast_forwards" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "subscription_id" TEXT COLLATE "C" NOT NULL,
    "open_subscription_id" TEXT COLLATE "C",
    "period_start" TIMESTAMPTZ(0) NOT NULL,
    "payment_status" TEXT,
    "failure_reason" TEXT,
    "order_id" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "fast_forwards_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "simulations" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "order_id" TEXT COLLATE "C" NOT NULL,
    "open_order_id" TEXT COLLATE "C",
    "payment_status" TEXT NOT NULL,
    "failure_reason" TEXT,
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "simulations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "subscription_periods_order_id_idx" ON "subscription_periods"("order_id");

-- CreateIndex
CREATE INDEX "billing_links_subscription_id_idx" ON "billing_links"("subscription_id");

-- CreateIndex
CREATE UNIQUE INDEX "recoveries_order_id_key" ON "recoveries"("order_id");

-- CreateIndex
CREATE INDEX "recoveries_subscription_id_idx" ON "recoveries"("subscription_id");

-- CreateIndex
CREATE INDEX "mails_storefront_id_testmode_id_idx" ON "mails"("storefront_id", "testmode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "fast_forwards_open_subscription_id_key" ON "fast_forwards"("open_subscription_id");

-- CreateIndex
CREATE UNIQUE INDEX "fast_forwards_order_id_key" ON "fast_forwards"("order_id");

-- CreateIndex
CREATE UNIQUE INDEX "simulations_open_order_id_key" ON "simulations"("open_order_id");

-- CreateIndex
CREATE INDEX "simulations_order_id_idx" ON "simulations"("order_id");

-- CreateIndex
CREATE INDEX "orders_subscription_id_id_idx" ON "orders"("subscription_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "subscriptions_id_storefront_id_testmode_key" ON "subscriptions"("id", "storefront_id", "testmode");

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_subscription_id_storefront_id_testmode_fkey" FOREIGN KEY ("subscription_id", "storefront_id", "testmode") REFERENCES "subscriptions"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_mandate_id_storefront_id_testmode_fkey" FOREIGN KEY ("mandate_id", "storefront_id", "testmode") REFERENCES "mandates"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "subscription_periods" ADD CONSTRAINT "subscription_periods_subscription_id_storefront_id_testmod_fkey" FOREIGN KEY ("subscription_id", "storefront_id", "testmode") REFERENCES "subscriptions"("id", "storefront_id", "testmode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription_periods" ADD CONSTRAINT "subscription_periods_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "billing_links" ADD CONSTRAINT "billing_links_subscription_id_storefront_id_testmode_fkey" FOREIGN KEY ("subscription_id", "storefront_id", "testmode") REFERENCES "subscriptions"("id", "storefront_id", "testmode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_subscription_id_storefront_id_testmode_fkey" FOREIGN KEY ("subscription_id", "storefront_id", "testmode") REFERENCES "subscriptions"("id", "storefront_id", "testmode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fast_forwards" ADD CONSTRAINT "fast_forwards_subscription_id_storefront_id_testmode_fkey" FOREIGN KEY ("subscription_id", "storefront_id", "testmode") REFERENCES "subscriptions"("id", "storefront_id", "testmode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "simulations" ADD CONSTRAINT "simulations_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE RESTRICT ON UPDATE CASCADE;


-- Rules the schema language cannot say.
CREATE EXTENSION IF NOT EXISTS btree_gist;
ALTER TABLE "subscription_periods" ADD CONSTRAINT "subscription_periods_order" CHECK ("start_at" <= "end_at"),
    ADD CONSTRAINT "subscription_periods_bill_once" EXCLUDE USING gist ("subscription_id" WITH =, tstzrange("start_at", "end_at") WITH &&);
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_period" CHECK (
        ("period_start" IS NULL) = ("period_end" IS NULL) AND ("period_start" IS NULL) = ("period_seconds" IS NULL) AND ("period_start" IS NULL) = ("period_paid" IS NULL)),
    ADD CONSTRAINT "subscriptions_nothing_ahead_once_canceled" CHECK (
        ("status" NOT IN ('canceled', 'on_grace_period') OR "scheduled_update" IS NULL) AND ("status" <> 'canceled' OR "parked" IS NULL)),
    ADD CONSTRAINT "subscriptions_cancellation_reason" CHECK (
        "cancellation_reason" IS NULL OR "canceled_at" IS NOT NULL);
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_status" CHECK ("status" IN ('open', 'recovered', 'exhausted', 'ended')),
    ADD CONSTRAINT "recoveries_finished" CHECK (("status" = 'open') = ("finished_at" IS NULL)),
    ADD CONSTRAINT "recoveries_kind" CHECK ("kind" IN ('soft', 'hard'));
ALTER TABLE "mails" ADD CONSTRAINT "mails_status" CHECK ("status" IN ('kept', 'queued', 'sent', 'refused')),
    ADD CONSTRAINT "mails_sent_at" CHECK (("status" = 'sent') = ("sent_at" IS NOT NULL));
ALTER TABLE "fast_forwards" ADD CONSTRAINT "fast_forwards_open" CHECK ("open_subscription_id" IS NULL OR "open_subscription_id" = "subscription_id"),
    ADD CONSTRAINT "fast_forwards_payment_status" CHECK ("payment_status" IN ('paid', 'failed'));
ALTER TABLE "simulations" ADD CONSTRAINT "simulations_open" CHECK ("open_order_id" IS NULL OR "open_order_id" = "order_id"),
    ADD CONSTRAINT "simulations_payment_status" CHECK ("payment_status" IN ('paid', 'failed'));

-- What was sold before: each started subscription is in its first period, or in its trial.
INSERT INTO "subscription_periods" ("id", "storefront_id", "testmode", "subscription_id", "start_at", "end_at", "order_id", "created_at")
    SELECT 'period_' || right(s."id", 22), s."storefront_id", s."testmode", s."id", s."anchor_at", s."renewed_until", o."id", s."started_at"
    FROM "subscriptions" s JOIN "checkout_lines" l ON l."id" = s."checkout_line_id" JOIN "orders" o ON o."checkout_id" = l."checkout_id"
    WHERE s."status" = 'active';
UPDATE "subscriptions" SET "period_start" = "anchor_at", "period_end" = "renewed_until", "period_paid" = "price" * "quantity",
    "period_seconds" = extract(epoch FROM "renewed_until" - "anchor_at")::bigint
    WHERE "status" = 'active';
UPDATE "subscriptions" SET "cycle" = -1 WHERE "status" = 'trial';
INSERT INTO "tasks" ("id", "name", "key", "storefront_id", "testmode", "clock", "data", "due_at", "ring_at", "created_at")
    SELECT 'task_' || right(s."id", 22), 'subscription.period_end', s."id" || ' ' || to_char(s."renewed_until" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), s."storefront_id", s."testmode",
        CASE WHEN s."testmode" THEN 'storefront' ELSE 'real' END,
        jsonb_build_object('subscriptionId', s."id", 'endsAt', to_char(s."renewed_until" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
        s."renewed_until", s."renewed_until" - CASE WHEN s."testmode" THEN coalesce(c."ahead_seconds", 0) * interval '1 second' ELSE interval '0' END,
        clock_timestamp()
    FROM "subscriptions" s LEFT JOIN "clocks" c ON c."storefront_id" = s."storefront_id"
    WHERE s."status" IN ('active', 'trial');
