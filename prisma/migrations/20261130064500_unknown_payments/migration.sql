-- Locks: storefronts (SHARE ROW EXCLUSIVE), payments (SHARE ROW EXCLUSIVE)

-- Payments at a live provider that the database does not know, because an older backup was restored. A charge uses such a payment instead
-- of charging the customer again.
CREATE TABLE unknown_payments (
    provider text NOT NULL,
    ref text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    payment_id text NOT NULL COLLATE "C",
    mandate_ref text COLLATE "C",
    order_id text COLLATE "C",
    amount bigint NOT NULL,
    currency text NOT NULL,
    status text NOT NULL,
    created_at timestamptz(0) NOT NULL,
    found_at timestamptz(0) NOT NULL,
    used_by text COLLATE "C",
    released_at timestamptz(0),
    CONSTRAINT unknown_payments_status CHECK (status IN ('paid', 'pending')),
    CONSTRAINT unknown_payments_amount CHECK (amount > 0),
    CONSTRAINT unknown_payments_released CHECK (used_by IS NULL OR released_at IS NULL),
    CONSTRAINT unknown_payments_pkey PRIMARY KEY (provider, ref),
    CONSTRAINT unknown_payments_used_by_key UNIQUE (used_by),
    CONSTRAINT unknown_payments_storefront_id_fkey FOREIGN KEY (storefront_id) REFERENCES storefronts (id),
    CONSTRAINT unknown_payments_used_by_fkey FOREIGN KEY (used_by) REFERENCES payments (id)
);
CREATE INDEX unknown_payments_storefront_id_idx ON unknown_payments (storefront_id);
CREATE INDEX unknown_payments_payment_id_idx ON unknown_payments (payment_id);
