-- The notice of changed billing details.
ALTER TABLE "emails" DROP CONSTRAINT "emails_kind",
  ADD CONSTRAINT "emails_kind" CHECK ("kind" IN ('receipt', 'payment_recovered', 'subscription_confirmation', 'trial_ending', 'renewal_notice', 'refund', 'billing_updated', 'cancellation', 'subscription_ended', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'portal_link'));
