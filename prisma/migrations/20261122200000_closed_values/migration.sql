-- Closed values are text with a CHECK (docs/decisions/0009-schema.md). What the service writes is unchanged.

ALTER TABLE "deliveries"
  ADD CONSTRAINT "deliveries_status" CHECK ("status" IN ('pending', 'delivered', 'failed', 'stopped'));

ALTER TABLE "products"
  ADD CONSTRAINT "products_kind" CHECK ("kind" IN ('subscription_plan', 'one_off_product')),
  ADD CONSTRAINT "products_tax_behavior" CHECK ("tax_behavior" IN ('exclusive', 'inclusive')),
  ADD CONSTRAINT "products_product_type" CHECK ("product_type" IN ('saas', 'ebook')),
  ADD CONSTRAINT "products_interval" CHECK ("interval" IN ('day', 'week', 'month', 'year')),
  ADD CONSTRAINT "products_review" CHECK ("review" IN ('pending', 'reviewing'));

ALTER TABLE "checkouts"
  ADD CONSTRAINT "checkouts_tax_behavior" CHECK ("tax_behavior" IN ('exclusive', 'inclusive'));

ALTER TABLE "checkout_lines"
  ADD CONSTRAINT "checkout_lines_kind" CHECK ("kind" IN ('subscription_plan', 'one_off_product')),
  ADD CONSTRAINT "checkout_lines_product_type" CHECK ("product_type" IN ('saas', 'ebook')),
  ADD CONSTRAINT "checkout_lines_interval" CHECK ("interval" IN ('day', 'week', 'month', 'year'));

ALTER TABLE "orders"
  ADD CONSTRAINT "orders_payment_method" CHECK ("payment_method" IN ('creditcard', 'ideal', 'bancontact', 'paypal', 'directdebit')),
  ADD CONSTRAINT "orders_tax_behavior" CHECK ("tax_behavior" IN ('exclusive', 'inclusive'));

ALTER TABLE "payments"
  ADD CONSTRAINT "payments_method" CHECK ("method" IN ('creditcard', 'ideal', 'bancontact', 'paypal', 'directdebit'));

ALTER TABLE "sandbox_payments"
  ADD CONSTRAINT "sandbox_payments_method" CHECK ("method" IN ('creditcard', 'ideal', 'bancontact', 'paypal', 'directdebit')),
  ADD CONSTRAINT "sandbox_payments_status" CHECK ("status" IN ('open', 'pending', 'paid', 'failed', 'canceled', 'expired')),
  ADD CONSTRAINT "sandbox_payments_mandate" CHECK ("mandate" IN ('valid', 'pending'));

ALTER TABLE "mandates"
  ADD CONSTRAINT "mandates_method" CHECK ("method" IN ('card', 'sepa_debit', 'paypal', 'bacs_debit')),
  ADD CONSTRAINT "mandates_status" CHECK ("status" IN ('valid', 'pending'));

ALTER TABLE "subscriptions"
  ADD CONSTRAINT "subscriptions_tax_behavior" CHECK ("tax_behavior" IN ('exclusive', 'inclusive')),
  ADD CONSTRAINT "subscriptions_interval" CHECK ("interval" IN ('day', 'week', 'month', 'year')),
  ADD CONSTRAINT "subscriptions_reasons" CHECK ("cancellation_reason" IN ('payment_failure', 'merchant_request', 'customer_request'));

ALTER TABLE "emails"
  ADD CONSTRAINT "emails_kind" CHECK ("kind" IN ('payment_failed', 'payment_method_needed', 'canceled_for_nonpayment'));
