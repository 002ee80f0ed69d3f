-- Locks: ledger_entries (ACCESS EXCLUSIVE)
-- A posting writes all its entries in one statement: they are added up once, as they are written, and no longer at the commit for
-- each entry, when the sales of the storefront wait for it. What a statement writes sums to zero for each transaction and
-- currency, so every transaction does.
DROP TRIGGER "ledger_balances" ON "ledger_entries";
CREATE OR REPLACE FUNCTION ledger_balances() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    uneven text;
BEGIN
    SELECT "transaction_id" INTO uneven FROM written GROUP BY "transaction_id", "currency" HAVING SUM("amount") <> 0 LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger transaction % does not sum to zero', uneven;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "ledger_balances" AFTER INSERT ON "ledger_entries"
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION ledger_balances();
-- Nothing else looked for entries by it.
DROP INDEX "ledger_entries_transaction_id_idx";
