-- Locks: payouts (ACCESS EXCLUSIVE)
-- The reference of a payout that was canceled, or that the bank sent back, is free again: the payout is then requested once more,
-- and most often with the same reference.
CREATE UNIQUE INDEX "payouts_reference" ON "payouts" ("storefront_id", "testmode", "reference")
    WHERE "status" NOT IN ('canceled', 'returned');
DROP INDEX "payouts_storefront_id_testmode_reference_key";
