-- Locks: emails (ACCESS EXCLUSIVE)

-- A member sends a customer a link.
ALTER TABLE emails DROP CONSTRAINT emails_kind;
ALTER TABLE emails ADD CONSTRAINT emails_kind CHECK (kind IN ('receipt', 'payment_recovered', 'subscription_confirmation', 'trial_ending', 'renewal_notice', 'refund', 'billing_updated', 'cancellation', 'subscription_ended', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'change_undone', 'review_decided', 'endpoint_disabled', 'chargeback_received', 'payout_created', 'portal_link', 'member_invitation', 'password_reset', 'email_change', 'email_changed', 'withdrawal_received', 'withdrawal_declared', 'debit_notice', 'passkey_added', 'invoice_corrected', 'payout_account_changed', 'payout_returned', 'access_changed', 'own_access_changed', 'renewal_uncollectable', 'payment_method_missing', 'transfer_instructions', 'purchase_unpaid', 'customer_link'));

-- The page of a customer has the newest emails about the customer.
DROP INDEX emails_of_customer;
CREATE INDEX emails_of_customer ON emails (customer_id, id) WHERE (customer_id IS NOT NULL);
