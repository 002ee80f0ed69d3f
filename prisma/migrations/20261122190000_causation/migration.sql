-- Columns take the names of the glossary. Nothing but names changes.
ALTER TABLE "events" RENAME COLUMN "cause" TO "causation_id";
ALTER TABLE "deliveries" RENAME COLUMN "cause" TO "causation_id";
ALTER TABLE "ledger_accounts" RENAME COLUMN "awaited" TO "has_waiters";
