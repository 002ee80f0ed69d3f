-- Emails to the members of merchants; a storefront can switch each of them off.
ALTER TABLE "emails" DROP CONSTRAINT "emails_kind",
  ADD CONSTRAINT "emails_kind" CHECK ("kind" IN ('receipt', 'payment_recovered', 'subscription_confirmation', 'trial_ending', 'renewal_notice', 'refund', 'billing_updated', 'cancellation', 'subscription_ended', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'review_decided', 'endpoint_disabled', 'chargeback_received', 'payout_created', 'portal_link'));

ALTER TABLE "disabled_email_kinds" DROP CONSTRAINT "disabled_email_kinds_kind",
  ADD CONSTRAINT "disabled_email_kinds_kind" CHECK ("kind" IN ('trial_ending', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'review_decided', 'endpoint_disabled', 'chargeback_received', 'payout_created'));
