-- Locks: products (ACCESS EXCLUSIVE), payouts (SHARE), payout_batches (SHARE)

-- Since when an item waits for a review. Null for items that were submitted before this column: they wait since their creation.
ALTER TABLE products ADD COLUMN submitted_at timestamptz(0);

-- The queue of reviews, by submission.
-- The count of reviews reads the queue too.
DROP INDEX products_review_testmode_idx;
DROP INDEX products_to_review;
CREATE INDEX products_to_review ON products ((coalesce(submitted_at, created_at)), id)
  WHERE (review IS NOT NULL AND NOT testmode);

-- The live payouts that wait for a bank file, or for the bank.
CREATE INDEX payouts_live_open ON payouts (status, id)
  WHERE (NOT testmode AND status IN ('requested'::text, 'exported'::text));

-- The live bank files, for their list.
CREATE INDEX payout_batches_live ON payout_batches (id) WHERE (NOT testmode);
