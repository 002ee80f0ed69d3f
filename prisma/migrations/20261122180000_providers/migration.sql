-- A mandate is charged by the provider that set it up. All of those that exist are the test provider's.
ALTER TABLE "mandates" ADD COLUMN "provider" TEXT NOT NULL DEFAULT 'sandbox';
ALTER TABLE "mandates" ALTER COLUMN "provider" DROP DEFAULT;

-- Tasks take the names of what they do. A chargeback's task names the payment too, which says whose chargeback it is.
UPDATE "tasks" SET "name" = 'payment.sync' WHERE "name" = 'payments.news';
UPDATE "tasks" SET "name" = 'chargeback.send_decision' WHERE "name" = 'chargeback.tell_decision';
UPDATE "tasks" SET "name" = 'chargeback.sync',
  "data" = "tasks"."data" || jsonb_build_object('paymentRef', c."payment_ref")
FROM "sandbox_chargebacks" c WHERE "tasks"."name" = 'payments.chargeback_news' AND c."ref" = "tasks"."data" ->> 'ref';
