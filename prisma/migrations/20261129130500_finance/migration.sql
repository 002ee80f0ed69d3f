-- Locks: chargebacks (ACCESS EXCLUSIVE), orders (SHARE), storefronts (SHARE ROW EXCLUSIVE)

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

-- The merchant's answer to a dispute, which a task sends to the provider.
ALTER TABLE chargebacks
    ADD COLUMN respond_by timestamptz(0),
    ADD COLUMN answer text,
    ADD COLUMN answered_at timestamptz(0),
    ADD CONSTRAINT chargebacks_answer CHECK (answer IN ('concede', 'evidence', 'refused')),
    ADD CONSTRAINT chargebacks_answered CHECK ((answer IS NULL) = (answered_at IS NULL));

CREATE TABLE chargeback_evidence (
    id text COLLATE "C" NOT NULL,
    storefront_id text COLLATE "C" NOT NULL,
    testmode boolean NOT NULL,
    chargeback_id text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    type text NOT NULL,
    size integer NOT NULL,
    sealed bytea,
    created_at timestamptz(0) NOT NULL,
    CONSTRAINT chargeback_evidence_pkey PRIMARY KEY (id),
    CONSTRAINT chargeback_evidence_kind CHECK (kind IN ('statement', 'communication', 'receipt', 'service', 'other')),
    CONSTRAINT chargeback_evidence_type CHECK (type IN ('text/plain', 'application/pdf', 'image/jpeg', 'image/png')),
    CONSTRAINT chargeback_evidence_chargeback_id_storefront_id_testmode_fkey FOREIGN KEY (chargeback_id, storefront_id, testmode)
      REFERENCES chargebacks (id, storefront_id, testmode)
);
CREATE INDEX chargeback_evidence_chargeback_id_id_idx ON chargeback_evidence (chargeback_id, id);
