-- AlterTable. A clock that is moved while this is installed counts from now on.
ALTER TABLE "clocks" ADD COLUMN     "moving_since" TIMESTAMPTZ(3),
ADD COLUMN     "progressed_at" TIMESTAMPTZ(3),
ADD COLUMN     "touched_at" TIMESTAMPTZ(0);
UPDATE "clocks" SET "moving_since" = clock_timestamp(), "progressed_at" = clock_timestamp() WHERE "advancing_to" IS NOT NULL;

-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "beside" BOOLEAN NOT NULL DEFAULT false;


-- Rules the schema language cannot say.
-- What a moved clock runs: its work, and its deliveries, which may be many: they are not looked through for the work, nor those that
-- wait for each other for what can be attempted.
CREATE INDEX "tasks_work_due" ON "tasks" ("storefront_id", "due_at", "id") WHERE "clock" = 'storefront' AND "name" <> 'webhook.deliver';
CREATE INDEX "tasks_deliveries_due" ON "tasks" ("storefront_id", "due_at", "id") WHERE "clock" = 'storefront' AND "name" = 'webhook.deliver';
CREATE INDEX "tasks_deliveries_unasked" ON "tasks" ("storefront_id", "due_at", "id")
    WHERE "clock" = 'storefront' AND "name" = 'webhook.deliver' AND "attempts" = 0;

-- Holds the clock of a storefront's test mode until the end of the transaction: many may, so that it does not move, or one alone, so
-- that nobody else acts meanwhile. They are let in as they come: who waits to move the clock is not overtaken for ever. Answers what it
-- shows, read once it is held, whether it is being moved, and the latest moment at which a call acted while it was.
CREATE FUNCTION hold_clock("of_storefront" text, "alone" boolean)
RETURNS TABLE ("now" timestamptz, "moving" boolean, "touched" timestamptz) LANGUAGE plpgsql AS $$
BEGIN
    IF "alone" THEN
        PERFORM pg_advisory_xact_lock(20261122, hashtext("of_storefront"));
    ELSE
        PERFORM pg_advisory_xact_lock_shared(20261122, hashtext("of_storefront"));
    END IF;
    RETURN QUERY SELECT coalesce(c."frozen_at", date_trunc('second', clock_timestamp()) + c."ahead_seconds" * interval '1 second')::timestamptz,
        c."frozen_at" IS NOT NULL, c."touched_at"::timestamptz FROM "clocks" c WHERE c."storefront_id" = "of_storefront";
END $$;

-- The clock that `by_driver` moves stands at `moment` from now on, unless it is further. Answers whether it is still the driver's.
CREATE FUNCTION move_clock("of_storefront" text, "by_driver" text, "moment" timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(20261122, hashtext("of_storefront"));
    UPDATE "clocks" SET "frozen_at" = greatest("frozen_at", date_trunc('second', "moment"))
        WHERE "storefront_id" = "of_storefront" AND "driver" = "by_driver" AND "advancing_to" IS NOT NULL;
    RETURN FOUND;
END $$;
