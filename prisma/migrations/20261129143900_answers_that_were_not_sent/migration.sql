-- Locks: chargebacks (ACCESS EXCLUSIVE), sandbox_chargebacks (ACCESS EXCLUSIVE)

-- An answer that was not sent, because the dispute was already answered or decided: late.
ALTER TABLE chargebacks DROP CONSTRAINT chargebacks_answer;
ALTER TABLE chargebacks ADD CONSTRAINT chargebacks_answer CHECK (answer IN ('concede', 'evidence', 'refused', 'late'));

-- The test provider knows which evidence it took.
ALTER TABLE sandbox_chargebacks ADD COLUMN evidence_id text COLLATE "C";
