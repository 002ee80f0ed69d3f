-- Locks: checkouts (ACCESS EXCLUSIVE)

-- A permanent address at which anybody buys a fixed list of products.
CREATE TABLE payment_links (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    name text NOT NULL,
    active boolean NOT NULL,
    redirect_url_success text,
    locale text,
    metadata text,
    created_at timestamptz(0) NOT NULL,
    CONSTRAINT payment_links_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX payment_links_id_storefront_id_testmode_key ON payment_links (id, storefront_id, testmode);
CREATE INDEX payment_links_storefront_id_testmode_id_idx ON payment_links (storefront_id, testmode, id);
CREATE INDEX payment_links_storefront_id_testmode_active_id_idx ON payment_links (storefront_id, testmode, active, id);

CREATE TABLE payment_link_items (
    payment_link_id text NOT NULL COLLATE "C",
    "position" integer NOT NULL,
    product_id text NOT NULL COLLATE "C",
    quantity integer NOT NULL,
    min_quantity integer,
    max_quantity integer,
    price bigint,
    trial_days integer,
    metadata text,
    CONSTRAINT payment_link_items_range CHECK (
      CASE WHEN min_quantity IS NULL THEN max_quantity IS NULL
      ELSE max_quantity IS NOT NULL AND min_quantity < max_quantity AND quantity BETWEEN min_quantity AND max_quantity END),
    CONSTRAINT payment_link_items_pkey PRIMARY KEY (payment_link_id, "position"),
    CONSTRAINT payment_link_items_payment_link_id_fkey FOREIGN KEY (payment_link_id) REFERENCES payment_links (id)
      ON UPDATE CASCADE ON DELETE RESTRICT
);

ALTER TABLE checkouts
    ALTER COLUMN redirect_url_success DROP NOT NULL,
    ADD COLUMN payment_link_id text COLLATE "C",
    ADD COLUMN form_key text,
    ADD CONSTRAINT checkouts_of_form CHECK ((payment_link_id IS NULL) = (form_key IS NULL)),
    ADD CONSTRAINT checkouts_success CHECK (redirect_url_success IS NOT NULL OR payment_link_id IS NOT NULL),
    ADD CONSTRAINT checkouts_payment_link_id_storefront_id_testmode_fkey FOREIGN KEY (payment_link_id, storefront_id, testmode)
      REFERENCES payment_links (id, storefront_id, testmode);
-- By payment link and form, of those that one has made.
CREATE UNIQUE INDEX checkouts_of_payment_link ON checkouts (payment_link_id, form_key) WHERE payment_link_id IS NOT NULL;
