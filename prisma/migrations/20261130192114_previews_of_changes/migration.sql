-- Locks: subscriptions (SHARE ROW EXCLUSIVE)

-- The amounts of returned previews. A PATCH with the `asOf` of a preview is refused if its amounts differ.
CREATE TABLE change_previews (
    subscription_id TEXT NOT NULL,
    storefront_id TEXT NOT NULL,
    testmode BOOLEAN NOT NULL,
    request TEXT NOT NULL,
    as_of TIMESTAMPTZ(0) NOT NULL,
    computed_for TIMESTAMPTZ(0) NOT NULL,
    amounts TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT change_previews_pkey PRIMARY KEY (subscription_id, request, as_of)
);

CREATE INDEX change_previews_created_at_idx ON change_previews (created_at);

ALTER TABLE change_previews ADD CONSTRAINT change_previews_subscription_id_storefront_id_testmode_fkey
  FOREIGN KEY (subscription_id, storefront_id, testmode) REFERENCES subscriptions (id, storefront_id, testmode) ON DELETE RESTRICT ON UPDATE CASCADE;
