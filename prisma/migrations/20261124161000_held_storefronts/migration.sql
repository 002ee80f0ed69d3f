-- Locks: storefronts (ACCESS EXCLUSIVE), invoice_series (ACCESS EXCLUSIVE)
-- Storefronts that move to another installation, or came from one.
ALTER TABLE "storefronts" ADD COLUMN "held_at" TIMESTAMPTZ(3);
ALTER TABLE "invoice_series" ADD COLUMN "elsewhere" BIGINT NOT NULL DEFAULT 0;

-- The code is that of a lock which is not available: whoever acts is told to try again later.
CREATE FUNCTION refuse_while_held("of_storefront" text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM "storefronts" s WHERE s."id" = "of_storefront" AND s."held_at" IS NOT NULL) THEN
        RAISE EXCEPTION 'the storefront is on hold' USING ERRCODE = '55P03';
    END IF;
END $$;

-- Held until the end of each transaction of live mode. A hold waits for them, by the same lock.
CREATE FUNCTION hold_storefront("of_storefront" text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(20261124, hashtext("of_storefront"));
    PERFORM refuse_while_held("of_storefront");
END $$;

-- As before, and it fails while the storefront is on hold.
CREATE OR REPLACE FUNCTION hold_clock("of_storefront" text, "alone" boolean)
RETURNS TABLE ("now" timestamptz, "moving" boolean, "touched" timestamptz) LANGUAGE plpgsql AS $$
BEGIN
    IF "alone" THEN
        PERFORM pg_advisory_xact_lock(20261122, hashtext("of_storefront"));
    ELSE
        PERFORM pg_advisory_xact_lock_shared(20261122, hashtext("of_storefront"));
    END IF;
    PERFORM refuse_while_held("of_storefront");
    RETURN QUERY SELECT coalesce(c."frozen_at", date_trunc('second', clock_timestamp()) + c."ahead_seconds" * interval '1 second')::timestamptz,
        c."frozen_at" IS NOT NULL, c."touched_at"::timestamptz FROM "clocks" c WHERE c."storefront_id" = "of_storefront";
END $$;
