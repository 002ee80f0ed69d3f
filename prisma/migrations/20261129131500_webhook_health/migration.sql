-- Locks: api_keys (ACCESS EXCLUSIVE), deliveries (SHARE), webhook_endpoints (SHARE ROW EXCLUSIVE)

-- A name that a person chose for a key.
ALTER TABLE api_keys ADD COLUMN name text;

-- The attempts of each hour by endpoint, in real time, for the health of an endpoint.
CREATE TABLE endpoint_hours (
    endpoint_id text COLLATE "C" NOT NULL,
    hour timestamptz(0) NOT NULL,
    storefront_id text COLLATE "C" NOT NULL,
    testmode boolean NOT NULL,
    succeeded integer NOT NULL,
    failed integer NOT NULL,
    last_succeeded_at timestamptz(3),
    last_failed_at timestamptz(3),
    last_failed_attempt_id text COLLATE "C",

    CONSTRAINT endpoint_hours_pkey PRIMARY KEY (endpoint_id, hour),
    -- The last attempts are there exactly if attempts were counted.
    CONSTRAINT endpoint_hours_last CHECK (
      (succeeded > 0) = (last_succeeded_at IS NOT NULL)
      AND (failed > 0) = (last_failed_at IS NOT NULL)
      AND (failed > 0) = (last_failed_attempt_id IS NOT NULL))
);
CREATE INDEX endpoint_hours_hour_idx ON endpoint_hours (hour);
ALTER TABLE endpoint_hours ADD CONSTRAINT endpoint_hours_endpoint_id_storefront_id_testmode_fkey
  FOREIGN KEY (endpoint_id, storefront_id, testmode) REFERENCES webhook_endpoints (id, storefront_id, testmode);

-- Pending deliveries of an endpoint, oldest first.
CREATE INDEX deliveries_waiting ON deliveries (endpoint_id, id) WHERE (status = 'pending'::text);
