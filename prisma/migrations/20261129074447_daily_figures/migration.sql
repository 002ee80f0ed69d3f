-- Locks: subscriptions (SHARE ROW EXCLUSIVE)

-- What a subscription adds to monthly recurring revenue, from a day on.
CREATE TABLE recurring_amounts (
    subscription_id text COLLATE "C" NOT NULL,
    day date NOT NULL,
    storefront_id text COLLATE "C" NOT NULL,
    testmode boolean NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    plan_id text COLLATE "C" NOT NULL,

    CONSTRAINT recurring_amounts_pkey PRIMARY KEY (subscription_id, day),
    CONSTRAINT recurring_amounts_amount CHECK (amount >= 0)
);
CREATE INDEX recurring_amounts_storefront_id_testmode_day_idx ON recurring_amounts (storefront_id, testmode, day);
ALTER TABLE recurring_amounts ADD CONSTRAINT recurring_amounts_subscription_id_storefront_id_testmode_fkey
  FOREIGN KEY (subscription_id, storefront_id, testmode) REFERENCES subscriptions (id, storefront_id, testmode);

-- The figures of each day with changes, by storefront, mode, and currency.
CREATE TABLE daily_figures (
    storefront_id text COLLATE "C" NOT NULL,
    testmode boolean NOT NULL,
    currency text NOT NULL,
    day date NOT NULL,
    sales bigint NOT NULL,
    refunds bigint NOT NULL,
    disputes bigint NOT NULL,
    orders integer NOT NULL,
    opening_mrr bigint NOT NULL,
    new_mrr bigint NOT NULL,
    expansion_mrr bigint NOT NULL,
    contraction_mrr bigint NOT NULL,
    churn_mrr bigint NOT NULL,
    reactivation_mrr bigint NOT NULL,
    closing_mrr bigint NOT NULL,
    opening_subscribers integer NOT NULL,
    new_subscribers integer NOT NULL,
    churned_subscribers integer NOT NULL,
    reactivated_subscribers integer NOT NULL,
    closing_subscribers integer NOT NULL,
    plans jsonb NOT NULL,
    countries jsonb NOT NULL,
    cancellations jsonb NOT NULL,

    CONSTRAINT daily_figures_pkey PRIMARY KEY (storefront_id, testmode, currency, day),
    CONSTRAINT daily_figures_mrr CHECK (
      opening_mrr + new_mrr + expansion_mrr - contraction_mrr - churn_mrr + reactivation_mrr = closing_mrr
      AND least(opening_mrr, new_mrr, expansion_mrr, contraction_mrr, churn_mrr, reactivation_mrr, closing_mrr) >= 0),
    CONSTRAINT daily_figures_subscribers CHECK (
      opening_subscribers + new_subscribers - churned_subscribers + reactivated_subscribers = closing_subscribers
      AND least(opening_subscribers, new_subscribers, churned_subscribers, reactivated_subscribers, closing_subscribers) >= 0)
);

-- Up to which day the figures of a storefront and mode are complete.
CREATE TABLE closed_figures (
    storefront_id text COLLATE "C" NOT NULL,
    testmode boolean NOT NULL,
    day date,
    closed_at timestamptz(3) NOT NULL,

    CONSTRAINT closed_figures_pkey PRIMARY KEY (storefront_id, testmode)
);
