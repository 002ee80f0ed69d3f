-- One vocabulary: tables and columns take the names that the interface, or the field, has for them. Nothing but names changes.
ALTER TABLE "tasks" RENAME COLUMN "ring_at" TO "run_at";
ALTER TABLE "tasks" RENAME COLUMN "generation" TO "claim_version";
ALTER INDEX "tasks_ring_at_idx" RENAME TO "tasks_run_at_idx";
