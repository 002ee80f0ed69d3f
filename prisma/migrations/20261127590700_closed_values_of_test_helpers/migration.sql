-- Locks: fast_forwards (ACCESS EXCLUSIVE), simulations (ACCESS EXCLUSIVE), tax_id_checks (ACCESS EXCLUSIVE)
-- And of the registry that answered about a tax ID.
ALTER TABLE "fast_forwards"
    ADD CONSTRAINT "fast_forwards_failure_reason" CHECK ("failure_reason" IN ('insufficient_funds', 'temporary_decline', 'general_failure', 'invalid_mandate', 'mandate_canceled', 'account_closed',
        'card_expired', 'card_lost_or_stolen', 'invalid_card_details', 'authentication_failed', 'fraud_suspected')) NOT VALID;
ALTER TABLE "simulations"
    ADD CONSTRAINT "simulations_failure_reason" CHECK ("failure_reason" IN ('insufficient_funds', 'temporary_decline', 'general_failure', 'invalid_mandate', 'mandate_canceled', 'account_closed',
        'card_expired', 'card_lost_or_stolen', 'invalid_card_details', 'authentication_failed', 'fraud_suspected')) NOT VALID;
ALTER TABLE "tax_id_checks"
    ADD CONSTRAINT "tax_id_checks_source" CHECK ("source" IN ('vies', 'hmrc')) NOT VALID;
