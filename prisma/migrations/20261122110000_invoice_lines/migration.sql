-- What an invoice says of a line beyond what the interface does. Lines that are there say no more than they did: a document
-- that was issued never changes.
ALTER TABLE "order_lines" ADD COLUMN "invoice_description" TEXT,
    ADD COLUMN "service_from" TIMESTAMPTZ(0),
    ADD COLUMN "service_until" TIMESTAMPTZ(0),
    ADD COLUMN "terms_change" JSONB,
    ADD CONSTRAINT "order_lines_service_has_both_ends" CHECK (("service_from" IS NULL) = ("service_until" IS NULL));
ALTER TABLE "reversal_lines" ADD COLUMN "invoice_description" TEXT;
