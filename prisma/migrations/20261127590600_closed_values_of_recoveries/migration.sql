-- Locks: recoveries (ACCESS EXCLUSIVE)
-- A recovery that is over has no next step.
ALTER TABLE "recoveries"
    ADD CONSTRAINT "recoveries_failure_reason" CHECK ("failure_reason" IN ('insufficient_funds', 'temporary_decline', 'general_failure', 'invalid_mandate', 'mandate_canceled', 'account_closed',
        'card_expired', 'card_lost_or_stolen', 'invalid_card_details', 'authentication_failed', 'fraud_suspected')) NOT VALID,
    ADD CONSTRAINT "recoveries_next_step" CHECK ("status" = 'open' OR "next_step_at" IS NULL) NOT VALID;
