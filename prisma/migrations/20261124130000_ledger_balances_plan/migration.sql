-- The statement in EXECUTE was planned for every entry, which took a sixth of the database's time of a renewal. This one is
-- planned once per connection. It names the schema, so that a session's own table of the same name is not looked at instead.
CREATE OR REPLACE FUNCTION ledger_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM "public"."ledger_entries" WHERE "transaction_id" = NEW."transaction_id" GROUP BY "currency" HAVING SUM("amount") <> 0) THEN
        RAISE EXCEPTION 'ledger transaction % does not sum to zero', NEW."transaction_id";
    END IF;
    RETURN NULL;
END $$;
