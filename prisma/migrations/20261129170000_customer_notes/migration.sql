-- Locks: customers (SHARE ROW EXCLUSIVE)

-- A note of a member about a customer. Neither the API nor a page of the customer shows it.
CREATE TABLE customer_notes (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    customer_id text NOT NULL COLLATE "C",
    text text NOT NULL,
    author_id text NOT NULL COLLATE "C",
    author_email text,
    created_at timestamptz(0) NOT NULL,
    CONSTRAINT customer_notes_text CHECK (char_length(text) BETWEEN 1 AND 2000),
    CONSTRAINT customer_notes_pkey PRIMARY KEY (id),
    CONSTRAINT customer_notes_customer_id_storefront_id_testmode_fkey FOREIGN KEY (customer_id, storefront_id, testmode)
      REFERENCES customers (id, storefront_id, testmode)
);
CREATE INDEX customer_notes_customer_id_id_idx ON customer_notes (customer_id, id);
