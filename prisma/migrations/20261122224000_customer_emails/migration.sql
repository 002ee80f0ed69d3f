-- The invoice or credit note that is attached to an email.
ALTER TABLE "emails" ADD COLUMN     "order_id" TEXT COLLATE "C",
ADD COLUMN     "original_id" TEXT COLLATE "C";

-- CreateIndex
CREATE INDEX "emails_original_id_idx" ON "emails"("original_id");

-- AddForeignKey
ALTER TABLE "emails" ADD CONSTRAINT "emails_original_id_fkey" FOREIGN KEY ("original_id") REFERENCES "emails"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "emails" ADD CONSTRAINT "emails_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE "emails" DROP CONSTRAINT "emails_kind",
  ADD CONSTRAINT "emails_kind" CHECK ("kind" IN ('receipt', 'subscription_confirmation', 'trial_ending', 'renewal_notice', 'refund', 'cancellation', 'subscription_ended', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'portal_link'));

-- A document is emailed once, unless it is sent again.
CREATE UNIQUE INDEX "emails_order_id_key" ON "emails"("order_id") WHERE "original_id" IS NULL;

-- The emails before the next charge of what was sold before.
INSERT INTO "tasks" ("id", "name", "key", "storefront_id", "testmode", "clock", "data", "due_at", "run_at", "created_at", "beside")
    SELECT 'task_' || left(md5(s."id" || n."days"), 22), 'subscription.charge_notice', s."id" || ' ' || e."ends_at" || ' ' || n."days", s."storefront_id", s."testmode",
        CASE WHEN s."testmode" THEN 'storefront' ELSE 'real' END,
        jsonb_build_object('subscriptionId', s."id", 'endsAt', e."ends_at", 'kind', n."kind"),
        e."due_at", e."due_at" - e."ahead", clock_timestamp(), false
    FROM "subscriptions" s LEFT JOIN "clocks" c ON c."storefront_id" = s."storefront_id"
    CROSS JOIN (VALUES ('trial_ending', 7), ('trial_ending', 1), ('renewal_notice', 30)) n ("kind", "days"),
    LATERAL (SELECT s."renewed_until" - n."days" * interval '1 day' AS "due_at",
        to_char(s."renewed_until" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "ends_at",
        CASE WHEN s."testmode" THEN coalesce(c."ahead_seconds", 0) ELSE 0 END * interval '1 second' AS "ahead") e
    WHERE e."due_at" - e."ahead" > clock_timestamp() AND CASE s."status"
        WHEN 'trial' THEN n."kind" = 'trial_ending'
        WHEN 'active' THEN n."kind" = 'renewal_notice' AND s."interval_count" >= CASE s."interval" WHEN 'day' THEN 365 WHEN 'week' THEN 53 WHEN 'month' THEN 12 ELSE 1 END
        ELSE false END;

-- CreateTable
CREATE TABLE "disabled_email_kinds" (
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "disabled_email_kinds_pkey" PRIMARY KEY ("storefront_id","kind")
);

-- AddForeignKey
ALTER TABLE "disabled_email_kinds" ADD CONSTRAINT "disabled_email_kinds_storefront_id_fkey" FOREIGN KEY ("storefront_id") REFERENCES "storefronts"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE "disabled_email_kinds" ADD CONSTRAINT "disabled_email_kinds_kind"
  CHECK ("kind" IN ('trial_ending', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment'));
