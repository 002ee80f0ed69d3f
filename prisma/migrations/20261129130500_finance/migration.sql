-- Locks: orders (SHARE)

-- The schedule of a storefront's payouts. Without a row, payouts are requested by hand.
CREATE TABLE payout_schedules (
    storefront_id text COLLATE "C" NOT NULL,
    testmode boolean NOT NULL,
    every text NOT NULL,
    day integer NOT NULL,
    next_at timestamptz(0) NOT NULL,
    CONSTRAINT payout_schedules_pkey PRIMARY KEY (storefront_id, testmode),
    CONSTRAINT payout_schedules_every CHECK (every IN ('week', 'month')),
    CONSTRAINT payout_schedules_day CHECK (day BETWEEN 1 AND CASE every WHEN 'week' THEN 7 ELSE 28 END),
    CONSTRAINT payout_schedules_storefront_id_fkey FOREIGN KEY (storefront_id) REFERENCES storefronts (id)
);

-- Invoices and credit notes by their day of issue, for reports and exports of a period.
CREATE INDEX orders_issued ON orders (storefront_id, testmode, paid_at, id) WHERE paid_at IS NOT NULL;
