-- One vocabulary: tables, columns and tasks take the names that the interface, or the field, has for them. Nothing but names changes.
ALTER TABLE "tasks" RENAME COLUMN "ring_at" TO "run_at";
ALTER TABLE "tasks" RENAME COLUMN "generation" TO "claim_version";
ALTER TABLE "billing_links" RENAME TO "billing_update_links";
ALTER TABLE "invoice_links" RENAME TO "invoice_update_links";
ALTER TABLE "mails" RENAME TO "emails";
ALTER TABLE "payments" RENAME COLUMN "billing_link_id" TO "billing_update_link_id";

UPDATE "tasks" SET "name" = 'email.send' WHERE "name" = 'mail.send';
UPDATE "tasks" SET "name" = 'billing_update.end_verification' WHERE "name" = 'billing.end_verification';

-- Indexes and constraints are named after their tables. PostgreSQL keeps 63 characters of a name; Prisma shortens what is before `_fkey`.
DO $$
DECLARE
  entry record;
BEGIN
  FOR entry IN
    SELECT conrelid::regclass AS "table", conname AS "old",
      replace(replace(replace(conname, 'billing_link', 'billing_update_link'), 'invoice_link', 'invoice_update_link'), 'mails_', 'emails_') AS "new"
    FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND conname ~ '^(billing_links|invoice_links|mails|payments_billing_link)'
  LOOP
    IF length(entry."new") > 63 THEN
      entry."new" := left(regexp_replace(entry."new", '_fkey$', ''), 58) || '_fkey';
    END IF;
    EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', entry."table", entry."old", entry."new");
  END LOOP;
  FOR entry IN
    SELECT indexname AS "old",
      left(replace(replace(replace(replace(indexname, 'billing_link', 'billing_update_link'), 'invoice_link', 'invoice_update_link'), 'mails_', 'emails_'), 'ring_at', 'run_at'), 63) AS "new"
    FROM pg_indexes WHERE schemaname = current_schema() AND indexname ~ '^(billing_links|invoice_links|mails_|payments_billing_link|tasks_ring_at)'
  LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', entry."old", entry."new");
  END LOOP;
END $$;

ALTER TABLE "clocks" RENAME COLUMN "driver" TO "runner_id";
ALTER TABLE "clocks" RENAME COLUMN "driven_until" TO "advance_leased_until";

-- A function keeps the names that it was written with.
DROP FUNCTION move_clock(text, text, timestamptz);
-- The clock that `by_runner` advances stands at `moment` from now on, unless it is further. Answers whether it is still the runner's.
CREATE FUNCTION move_clock("of_storefront" text, "by_runner" text, "moment" timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(20261122, hashtext("of_storefront"));
    UPDATE "clocks" SET "frozen_at" = greatest("frozen_at", date_trunc('second', "moment"))
        WHERE "storefront_id" = "of_storefront" AND "runner_id" = "by_runner" AND "advancing_to" IS NOT NULL;
    RETURN FOUND;
END $$;
