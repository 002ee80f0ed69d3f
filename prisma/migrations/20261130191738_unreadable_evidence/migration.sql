-- Locks: chargebacks (ACCESS EXCLUSIVE)

-- Evidence that was not sent, because the key that encrypted it is not configured: unreadable. The merchant can send it again.
ALTER TABLE chargebacks DROP CONSTRAINT chargebacks_answer;
ALTER TABLE chargebacks ADD CONSTRAINT chargebacks_answer
  CHECK (answer IN ('concede', 'evidence', 'refused', 'late', 'unreadable'));

DROP INDEX chargebacks_needing_action;
CREATE INDEX chargebacks_needing_action ON chargebacks (id)
  WHERE status = 'requires_amount_review' OR (status = 'pending' AND NOT testmode AND (answer IS NULL OR answer IN ('refused', 'unreadable')));
