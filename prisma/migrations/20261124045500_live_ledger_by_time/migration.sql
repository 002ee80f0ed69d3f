-- Statements and holds read the entries of some days. Those of live mode are written in the order of their moments, so a
-- summary of each block range finds them, at next to no cost to what is written.
CREATE INDEX "ledger_entries_live_moments" ON "ledger_entries" USING brin ("created_at")
WITH (autosummarize = on, pages_per_range = 16) WHERE NOT "testmode";
