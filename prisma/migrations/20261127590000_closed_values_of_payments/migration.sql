-- Locks: payments (ACCESS EXCLUSIVE)
-- Closed values have a CHECK (docs/decisions/0009-schema.md), and what the nightly check asks of finished_at is refused at once. Each
-- table has a migration of its own, so that none is held while another is waited for; the rows are looked at by a later one.
ALTER TABLE "payments"
    ADD CONSTRAINT "payments_failure_reason" CHECK ("failure_reason" IN ('insufficient_funds', 'temporary_decline', 'general_failure', 'invalid_mandate', 'mandate_canceled', 'account_closed',
        'card_expired', 'card_lost_or_stolen', 'invalid_card_details', 'authentication_failed', 'fraud_suspected')) NOT VALID,
    ADD CONSTRAINT "payments_finished" CHECK (("finished_at" IS NOT NULL) = ("status" IN ('paid', 'failed', 'canceled', 'expired'))) NOT VALID;
