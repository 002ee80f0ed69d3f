-- Locks: chargebacks (SHARE)

-- Open disputes of all storefronts by deadline. Disputes without a deadline follow the others.
CREATE INDEX chargebacks_open_by_deadline ON chargebacks (coalesce(respond_by, 'infinity'::timestamptz), id)
  WHERE status IN ('pending', 'evidence_submitted', 'requires_amount_review');
CREATE INDEX chargebacks_open_by_status_and_deadline ON chargebacks (status, coalesce(respond_by, 'infinity'::timestamptz), id)
  WHERE status IN ('pending', 'evidence_submitted', 'requires_amount_review');

-- Disputes that wait for staff, and live disputes without evidence.
CREATE INDEX chargebacks_needing_action ON chargebacks (id)
  WHERE status = 'requires_amount_review' OR (status = 'pending' AND NOT testmode AND (answer IS NULL OR answer = 'refused'));
