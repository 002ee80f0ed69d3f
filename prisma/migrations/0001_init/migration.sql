-- The tables of Billhook 0.1.0 with their constraints, indexes, functions, and triggers.
-- prisma/schema.prisma describes each table and column. This file adds what the schema language cannot express:
-- CHECK and EXCLUDE constraints, partial indexes and indexes of expressions, functions, and triggers.
-- Ids have COLLATE "C": they sort by bytes, whatever the locale of the database is.

-- For the EXCLUDE constraint of subscription_periods: a constraint that compares ids and time ranges.
CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TABLE merchants (
    id text NOT NULL COLLATE "C",
    name text NOT NULL,
    created_at timestamptz(3) NOT NULL
);
ALTER TABLE merchants ADD CONSTRAINT merchants_pkey PRIMARY KEY (id);

-- A form of the service's staff that created something. The row prevents a second creation if the form is sent again.
CREATE TABLE staff_form_keys (
    key text NOT NULL COLLATE "C",
    subject text NOT NULL COLLATE "C",
    created_at timestamptz(3) NOT NULL
);
ALTER TABLE staff_form_keys ADD CONSTRAINT staff_form_keys_pkey PRIMARY KEY (key);

CREATE TABLE operators (
    id text NOT NULL COLLATE "C",
    email text NOT NULL,
    password_hash text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    totp_secret bytea,
    totp_since timestamptz(3),
    totp_step bigint,
    merchant_id text,
    role text,
    locale text DEFAULT 'en'::text NOT NULL,
    CONSTRAINT operators_role CHECK ((((merchant_id IS NULL) AND (role IS NULL)) OR ((merchant_id IS NOT NULL) AND (role IN ('owner', 'developer', 'support', 'accountant')) AND (role IS NOT NULL))))
);
ALTER TABLE operators ADD CONSTRAINT operators_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX operators_email_key ON operators (email);
CREATE INDEX operators_merchant_id_idx ON operators (merchant_id);

-- A merchant's invitation to become a member, by a link that works once.
CREATE TABLE member_invitations (
    id text NOT NULL COLLATE "C",
    merchant_id text NOT NULL COLLATE "C",
    email text NOT NULL,
    role text NOT NULL,
    token_hash bytea NOT NULL,
    invited_by text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    accepted_at timestamptz(3),
    withdrawn_at timestamptz(3),
    locale text DEFAULT 'en'::text NOT NULL,
    -- An invitation is not both accepted and withdrawn.
    CONSTRAINT member_invitations_ended CHECK (((accepted_at IS NULL) OR (withdrawn_at IS NULL))),
    CONSTRAINT member_invitations_role CHECK ((role IN ('owner', 'developer', 'support', 'accountant')))
);
ALTER TABLE member_invitations ADD CONSTRAINT member_invitations_pkey PRIMARY KEY (id);
CREATE INDEX member_invitations_merchant_id_id_idx ON member_invitations (merchant_id, id);
-- An address has at most one open invitation of a merchant.
CREATE UNIQUE INDEX member_invitations_open_key ON member_invitations (merchant_id, email) WHERE ((accepted_at IS NULL) AND (withdrawn_at IS NULL));
CREATE UNIQUE INDEX member_invitations_token_hash_key ON member_invitations (token_hash);

-- Former owners of a merchant. During the cooling time of bank details they receive the same emails as the owners.
CREATE TABLE former_owners (
    merchant_id text NOT NULL COLLATE "C",
    email text NOT NULL,
    locale text NOT NULL,
    ended_at timestamptz(3) NOT NULL
);
ALTER TABLE former_owners ADD CONSTRAINT former_owners_pkey PRIMARY KEY (merchant_id, email);
CREATE INDEX former_owners_ended_at_idx ON former_owners (ended_at);

-- A link with which an operator or member sets a new password. It works once.
CREATE TABLE password_resets (
    id text NOT NULL COLLATE "C",
    operator_id text NOT NULL COLLATE "C",
    token_hash bytea NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3)
);
ALTER TABLE password_resets ADD CONSTRAINT password_resets_pkey PRIMARY KEY (id);
CREATE INDEX password_resets_operator_id_id_idx ON password_resets (operator_id, id);
CREATE UNIQUE INDEX password_resets_token_hash_key ON password_resets (token_hash);

CREATE TABLE operator_recovery_codes (
    operator_id text NOT NULL COLLATE "C",
    hash bytea NOT NULL,
    used_at timestamptz(3)
);
ALTER TABLE operator_recovery_codes ADD CONSTRAINT operator_recovery_codes_pkey PRIMARY KEY (operator_id, hash);

-- A passkey with which an operator logs in, instead of a password and a code.
CREATE TABLE operator_passkeys (
    id text NOT NULL,
    operator_id text NOT NULL,
    credential_id text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    name text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    last_used_at timestamptz(3)
);
ALTER TABLE operator_passkeys ADD CONSTRAINT operator_passkeys_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX operator_passkeys_credential_id_key ON operator_passkeys (credential_id);
CREATE INDEX operator_passkeys_operator_id_id_idx ON operator_passkeys (operator_id, id);

-- A challenge that a passkey has answered. The row prevents a second use until the challenge expires.
CREATE TABLE used_passkey_challenges (
    hash bytea NOT NULL,
    used_at timestamptz(3) NOT NULL
);
ALTER TABLE used_passkey_challenges ADD CONSTRAINT used_passkey_challenges_pkey PRIMARY KEY (hash);

-- A browser in which an operator logged in.
CREATE TABLE operator_sessions (
    id text NOT NULL COLLATE "C",
    operator_id text NOT NULL COLLATE "C",
    secret_hash bytea NOT NULL,
    address text NOT NULL,
    browser text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    verified_at timestamptz(3),
    last_used_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3),
    confirmed_at timestamptz(3),
    totp_secret bytea
);
ALTER TABLE operator_sessions ADD CONSTRAINT operator_sessions_pkey PRIMARY KEY (id);
CREATE INDEX operator_sessions_operator_id_id_idx ON operator_sessions (operator_id, id);
CREATE UNIQUE INDEX operator_sessions_secret_hash_key ON operator_sessions (secret_hash);

-- A known browser of an account, in which a sign-in succeeded. Failed sign-ins in other browsers do not lock it out.
CREATE TABLE operator_devices (
    hash bytea NOT NULL,
    operator_id text NOT NULL COLLATE "C",
    is_verified boolean NOT NULL,
    used_at timestamptz(3) NOT NULL
);
ALTER TABLE operator_devices ADD CONSTRAINT operator_devices_pkey PRIMARY KEY (hash, operator_id);
CREATE INDEX operator_devices_operator_id_used_at_idx ON operator_devices (operator_id, used_at);

-- Failed attempts to log in, per subject and source. The row without a source counts the attempts from all addresses.
CREATE TABLE sign_in_failures (
    subject text NOT NULL,
    source text NOT NULL,
    count integer NOT NULL,
    since timestamptz(3) NOT NULL,
    locked_until timestamptz(3)
);
ALTER TABLE sign_in_failures ADD CONSTRAINT sign_in_failures_pkey PRIMARY KEY (subject, source);
CREATE INDEX sign_in_failures_since_idx ON sign_in_failures (since);

-- The audit log: who changed what. Each entry has a keyed hash of its values and of the previous entry
-- (lib/modules/audit).
CREATE TABLE audit_entries (
    seq bigint NOT NULL,
    at timestamptz(3) NOT NULL,
    actor_kind text NOT NULL,
    actor_id text NOT NULL,
    address text,
    action text NOT NULL,
    subject text NOT NULL,
    before jsonb,
    after jsonb,
    hash bytea NOT NULL,
    CONSTRAINT audit_entries_actor_kind CHECK ((actor_kind IN ('operator', 'member', 'cli')))
);
ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (seq);
CREATE INDEX audit_entries_subject_seq_idx ON audit_entries (subject, seq);

-- The end of the audit log, in one row. It reveals whether the newest entries were removed.
CREATE TABLE audit_heads (
    id integer DEFAULT 1 NOT NULL,
    seq bigint NOT NULL,
    readable_from bigint NOT NULL,
    mac bytea NOT NULL,
    CONSTRAINT audit_heads_one CHECK ((id = 1))
);
ALTER TABLE audit_heads ADD CONSTRAINT audit_heads_pkey PRIMARY KEY (id);

CREATE TABLE storefronts (
    id text NOT NULL COLLATE "C",
    merchant_id text NOT NULL COLLATE "C",
    name text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    resumed_at timestamptz(3),
    resumed_test_at timestamptz(3),
    suspended_at timestamptz(3),
    suspended_reason text,
    held_at timestamptz(3),
    disputes_end_subscriptions boolean DEFAULT true NOT NULL,
    -- A storefront has a reason if and only if it is suspended.
    CONSTRAINT storefronts_suspended CHECK (((suspended_at IS NULL) = (suspended_reason IS NULL)))
);
ALTER TABLE storefronts ADD CONSTRAINT storefronts_pkey PRIMARY KEY (id);

-- The brand of a storefront on hosted pages and in emails, in both modes. The default applies where a column is null.
CREATE TABLE brands (
    storefront_id text NOT NULL COLLATE "C",
    display_name text,
    accent text,
    support_email text,
    support_url text,
    terms_url text,
    privacy_url text,
    updated_at timestamptz(3) NOT NULL,
    -- `#` and six hexadecimal digits, so that the color is safe inside a style.
    CONSTRAINT brands_accent CHECK ((accent ~ '^#[0-9a-f]{6}$'::text)),
    -- 1 to 255 characters.
    CONSTRAINT brands_display_name CHECK (((char_length(display_name) >= 1) AND (char_length(display_name) <= 255))),
    -- At most 254 characters.
    CONSTRAINT brands_support_email CHECK (((char_length(support_email) >= 3) AND (char_length(support_email) <= 254))),
    -- Https, and at most 2,048 characters each.
    CONSTRAINT brands_urls CHECK ((((support_url IS NULL) OR ((support_url ~~ 'https://%'::text) AND (char_length(support_url) <= 2048))) AND ((terms_url IS NULL) OR ((terms_url ~~ 'https://%'::text) AND (char_length(terms_url) <= 2048))) AND ((privacy_url IS NULL) OR ((privacy_url ~~ 'https://%'::text) AND (char_length(privacy_url) <= 2048)))))
);
ALTER TABLE brands ADD CONSTRAINT brands_pkey PRIMARY KEY (storefront_id);

-- The logos of a storefront, served at /brand/<hash>.<extension>. Former logos stay because sent emails still show
-- them.
CREATE TABLE brand_logos (
    storefront_id text NOT NULL COLLATE "C",
    hash text NOT NULL,
    extension text NOT NULL,
    bytes bytea NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    plate_in_light boolean NOT NULL,
    plate_in_dark boolean NOT NULL,
    created_at timestamptz(3) NOT NULL,
    replaced_at timestamptz(3),
    CONSTRAINT brand_logos_extension CHECK ((extension IN ('png', 'jpg'))),
    -- The hash matches the bytes.
    CONSTRAINT brand_logos_hash CHECK ((hash = encode(sha256(bytes), 'hex'::text))),
    -- 1 byte to 2 MB, and at most 640 x 320 pixels.
    CONSTRAINT brand_logos_size CHECK ((((octet_length(bytes) >= 1) AND (octet_length(bytes) <= 2097152)) AND ((width >= 1) AND (width <= 640)) AND ((height >= 1) AND (height <= 320))))
);
ALTER TABLE brand_logos ADD CONSTRAINT brand_logos_pkey PRIMARY KEY (storefront_id, hash);
CREATE INDEX brand_logos_hash_idx ON brand_logos (hash);
-- A storefront has at most one current logo.
CREATE UNIQUE INDEX brand_logos_shown_key ON brand_logos (storefront_id) WHERE (replaced_at IS NULL);

CREATE TABLE api_keys (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    hash bytea NOT NULL,
    hint text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    last_used_at timestamptz(3),
    scope text NOT NULL,
    CONSTRAINT api_keys_scope CHECK ((scope IN ('full', 'no_refunds', 'read_only')))
);
ALTER TABLE api_keys ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX api_keys_hash_key ON api_keys (hash);
CREATE INDEX api_keys_storefront_id_idx ON api_keys (storefront_id);

-- The test clock of a storefront. It is frozen at `frozen_at` while it advances to `advancing_to`.
CREATE TABLE clocks (
    storefront_id text NOT NULL COLLATE "C",
    ahead_seconds bigint DEFAULT 0 NOT NULL,
    frozen_at timestamptz(0),
    advancing_to timestamptz(0),
    moved_by text,
    runner_id text,
    advance_leased_until timestamptz(3),
    moving_since timestamptz(3),
    progressed_at timestamptz(3),
    touched_at timestamptz(0),
    -- A clock is frozen if and only if it is being advanced.
    CONSTRAINT clocks_frozen_iff_advancing CHECK (((frozen_at IS NULL) = (advancing_to IS NULL)))
);
ALTER TABLE clocks ADD CONSTRAINT clocks_pkey PRIMARY KEY (storefront_id);

CREATE TABLE idempotency_keys (
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    method text NOT NULL,
    route text NOT NULL,
    key text NOT NULL COLLATE "C",
    fingerprint bytea NOT NULL,
    claim text NOT NULL,
    leased_until timestamptz(3) NOT NULL,
    status integer,
    body text,
    created_at timestamptz(3) NOT NULL
);
ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (storefront_id, testmode, method, route, key);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);

-- The counts of rate limits, shared by all processes. Processes write them a few times a second, and they expire after
-- a minute. Work that one process does for all (lib/platform/db/turn.ts) is a limit too. UNLOGGED: a crash of the
-- server empties the table.
CREATE UNLOGGED TABLE rate_limits (
    key text NOT NULL,
    arrival timestamptz(3) NOT NULL
);
ALTER TABLE rate_limits ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key);

-- Problems with the services that the installation depends on. All processes share them, so that all report the same
-- state (lib/platform/outbound/service-problems.ts). UNLOGGED: a crash of the server empties the table.
CREATE UNLOGGED TABLE service_problems (
    service text NOT NULL,
    problem text NOT NULL,
    since timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL
);
ALTER TABLE service_problems ADD CONSTRAINT service_problems_pkey PRIMARY KEY (service);

-- A value that was encrypted with the secret key of this database, in one row. A process that cannot decrypt it was
-- started with another key, and must not encrypt anything (lib/server/secret-key.ts).
CREATE TABLE key_proofs (
    id integer DEFAULT 1 NOT NULL,
    sealed bytea NOT NULL,
    CONSTRAINT key_proofs_one CHECK ((id = 1))
);
ALTER TABLE key_proofs ADD CONSTRAINT key_proofs_pkey PRIMARY KEY (id);

CREATE TABLE tasks (
    id text NOT NULL COLLATE "C",
    name text NOT NULL,
    key text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    clock text NOT NULL,
    data jsonb NOT NULL,
    due_at timestamptz(3) NOT NULL,
    run_at timestamptz(3) NOT NULL,
    leased_until timestamptz(3),
    claim_version integer DEFAULT 0 NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    created_at timestamptz(3) NOT NULL,
    beside boolean DEFAULT false NOT NULL,
    stream text,
    handed_over_at timestamptz(3),
    trace text COLLATE "C",
    queue text DEFAULT 'work'::text NOT NULL,
    CONSTRAINT tasks_clock CHECK ((clock IN ('storefront', 'real'))),
    CONSTRAINT tasks_queue CHECK ((queue IN ('work', 'webhooks', 'email', 'dispatch')))
);
ALTER TABLE tasks ADD CONSTRAINT tasks_pkey PRIMARY KEY (id);
-- Deliveries that are due by a test clock.
CREATE INDEX tasks_deliveries_due ON tasks (storefront_id, due_at, id) WHERE ((clock = 'storefront'::text) AND (name = 'webhook.deliver'::text));
-- Deliveries before their first attempt.
CREATE INDEX tasks_deliveries_unasked ON tasks (storefront_id, due_at, id) WHERE ((clock = 'storefront'::text) AND (name = 'webhook.deliver'::text) AND (attempts = 0));
-- Tasks whose last run failed.
CREATE INDEX tasks_failing ON tasks (run_at) WHERE (last_error IS NOT NULL);
-- Tasks that were handed to a task server and have not begun, oldest first.
CREATE INDEX tasks_handed_over ON tasks (handed_over_at) WHERE (handed_over_at IS NOT NULL);
CREATE UNIQUE INDEX tasks_name_key_key ON tasks (name, key);
-- The tasks without a stream, by queue and due time.
CREATE INDEX tasks_queues ON tasks (queue, run_at, id) WHERE (stream IS NULL);
CREATE INDEX tasks_run_at_idx ON tasks (run_at);
CREATE INDEX tasks_storefront_id_clock_due_at_idx ON tasks (storefront_id, clock, due_at);
-- The tasks of each stream, by due time.
CREATE INDEX tasks_streams ON tasks (stream, run_at) WHERE (stream IS NOT NULL);
-- Tasks that are due by a test clock, except deliveries.
CREATE INDEX tasks_work_due ON tasks (storefront_id, due_at, id) WHERE ((clock = 'storefront'::text) AND (name <> 'webhook.deliver'::text));

CREATE TABLE events (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    name text NOT NULL,
    entity_type text NOT NULL,
    entity_id text NOT NULL COLLATE "C",
    causation_id text NOT NULL COLLATE "C",
    body text NOT NULL,
    created_at timestamptz(0) NOT NULL
);
ALTER TABLE events ALTER COLUMN storefront_id SET (n_distinct=-0.5);
ALTER TABLE events ADD CONSTRAINT events_pkey PRIMARY KEY (id);
CREATE INDEX events_entity_id_id_idx ON events (entity_id, id);
CREATE UNIQUE INDEX events_id_storefront_id_testmode_key ON events (id, storefront_id, testmode);
CREATE INDEX events_storefront_id_testmode_id_idx ON events (storefront_id, testmode, id);
CREATE INDEX events_storefront_id_testmode_name_id_idx ON events (storefront_id, testmode, name, id);

-- How far the removal of old rows has come. Rows from before these times may be removed.
CREATE TABLE horizons (
    kind text NOT NULL COLLATE "C",
    before timestamptz(0) NOT NULL,
    before_id text NOT NULL COLLATE "C",
    walked_to text NOT NULL COLLATE "C",
    CONSTRAINT horizons_kind CHECK ((kind IN ('deliveries', 'events', 'emails')))
);
ALTER TABLE horizons ADD CONSTRAINT horizons_pkey PRIMARY KEY (kind);

CREATE TABLE webhook_endpoints (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    slot integer,
    url text NOT NULL,
    claimed_url text,
    sealed_secret bytea NOT NULL,
    enabled_events text[],
    created_at timestamptz(0) NOT NULL,
    deleted_at timestamptz(0),
    enabled_since timestamptz(0),
    -- Slot and claimed_url are null once deleted.
    CONSTRAINT webhook_endpoints_deleted CHECK ((((deleted_at IS NULL) = (slot IS NOT NULL)) AND ((deleted_at IS NULL) = (claimed_url IS NOT NULL)))),
    CONSTRAINT webhook_endpoints_slot CHECK (((slot >= 0) AND (slot <= 5)))
);
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX webhook_endpoints_id_storefront_id_testmode_key ON webhook_endpoints (id, storefront_id, testmode);
CREATE UNIQUE INDEX webhook_endpoints_storefront_id_testmode_claimed_url_key ON webhook_endpoints (storefront_id, testmode, claimed_url);
CREATE UNIQUE INDEX webhook_endpoints_storefront_id_testmode_slot_key ON webhook_endpoints (storefront_id, testmode, slot);

CREATE TABLE deliveries (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    event_id text NOT NULL COLLATE "C",
    endpoint_id text NOT NULL COLLATE "C",
    entity_id text NOT NULL COLLATE "C",
    causation_id text NOT NULL COLLATE "C",
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    started_at timestamptz(3),
    first_answered_at timestamptz(3),
    next_attempt_at timestamptz(3),
    created_at timestamptz(0) NOT NULL,
    failed_at timestamptz(3),
    CONSTRAINT deliveries_status CHECK ((status IN ('pending', 'delivered', 'failed', 'stopped')))
);
ALTER TABLE deliveries ALTER COLUMN storefront_id SET (n_distinct=-0.5);
ALTER TABLE deliveries ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);
CREATE INDEX deliveries_endpoint_id_id_idx ON deliveries (endpoint_id, id);
CREATE UNIQUE INDEX deliveries_event_id_endpoint_id_key ON deliveries (event_id, endpoint_id);
-- Failed deliveries, by failed_at.
CREATE INDEX deliveries_failed ON deliveries (endpoint_id, failed_at) WHERE (status = 'failed'::text);
-- Pending deliveries whose first attempt has started.
CREATE INDEX deliveries_retries ON deliveries (endpoint_id, next_attempt_at) WHERE ((status = 'pending'::text) AND (started_at IS NOT NULL));
CREATE INDEX deliveries_storefront_id_testmode_id_idx ON deliveries (storefront_id, testmode, id);
CREATE INDEX deliveries_storefront_id_testmode_status_id_idx ON deliveries (storefront_id, testmode, status, id);
-- Pending deliveries whose first attempt has no response yet.
CREATE INDEX deliveries_unanswered ON deliveries (endpoint_id, event_id) WHERE ((status = 'pending'::text) AND (started_at IS NOT NULL) AND (first_answered_at IS NULL));
-- Pending deliveries before their first attempt, in the order of the events.
CREATE INDEX deliveries_unstarted ON deliveries (endpoint_id, event_id) WHERE ((status = 'pending'::text) AND (started_at IS NULL));

CREATE TABLE delivery_attempts (
    id text NOT NULL COLLATE "C",
    delivery_id text NOT NULL COLLATE "C",
    number integer NOT NULL,
    started_at timestamptz(3) NOT NULL,
    duration_ms integer NOT NULL,
    status integer,
    error text,
    answer text,
    signature text
);
ALTER TABLE delivery_attempts ADD CONSTRAINT delivery_attempts_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX delivery_attempts_delivery_id_number_key ON delivery_attempts (delivery_id, number);
CREATE INDEX delivery_attempts_started_at_idx ON delivery_attempts (started_at);

CREATE TABLE products (
    id text NOT NULL COLLATE "C",
    kind text NOT NULL,
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    price bigint NOT NULL,
    tax_behavior text NOT NULL,
    product_type text NOT NULL,
    "interval" text,
    interval_count integer,
    status text NOT NULL,
    review text,
    pending jsonb,
    rejection_reason text,
    archived_at timestamptz(0),
    created_at timestamptz(0) NOT NULL,
    CONSTRAINT products_interval CHECK (("interval" IN ('day', 'week', 'month', 'year'))),
    CONSTRAINT products_kind CHECK ((kind IN ('subscription_plan', 'one_off_product'))),
    -- A plan has an interval, a product has none.
    CONSTRAINT products_plan_interval CHECK (((kind = 'subscription_plan'::text) = (("interval" IS NOT NULL) AND (interval_count IS NOT NULL)))),
    CONSTRAINT products_product_type CHECK ((product_type IN ('saas', 'ebook'))),
    CONSTRAINT products_review CHECK ((review IN ('pending', 'reviewing'))),
    CONSTRAINT products_status CHECK ((status IN ('active', 'pending', 'rejected'))),
    CONSTRAINT products_tax_behavior CHECK ((tax_behavior IN ('exclusive', 'inclusive')))
);
ALTER TABLE products ADD CONSTRAINT products_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX products_id_storefront_id_testmode_key ON products (id, storefront_id, testmode);
CREATE INDEX products_review_testmode_idx ON products (review, testmode);
CREATE INDEX products_storefront_id_testmode_kind_id_idx ON products (storefront_id, testmode, kind, id);
-- Items with a review, oldest first.
CREATE INDEX products_to_review ON products (testmode, id) WHERE (review IS NOT NULL);

-- Plans that at least one subscription has used. A trigger on `subscriptions` writes the rows.
CREATE TABLE plan_uses (
    plan_id text NOT NULL
);
ALTER TABLE plan_uses ADD CONSTRAINT plan_uses_pkey PRIMARY KEY (plan_id);

CREATE TABLE customers (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    email text NOT NULL,
    name text,
    metadata text,
    created_at timestamptz(0) NOT NULL,
    locale text,
    erased_at timestamptz(0),
    time_zone text
);
ALTER TABLE customers ALTER COLUMN storefront_id SET (n_distinct=-0.5);
ALTER TABLE customers ADD CONSTRAINT customers_pkey PRIMARY KEY (id);
CREATE INDEX customers_email_idx ON customers (email);
CREATE UNIQUE INDEX customers_id_storefront_id_testmode_key ON customers (id, storefront_id, testmode);
CREATE UNIQUE INDEX customers_storefront_id_testmode_email_key ON customers (storefront_id, testmode, email);
CREATE INDEX customers_storefront_id_testmode_id_idx ON customers (storefront_id, testmode, id);

-- A link to the customer portal, and the browser session that opens when it is redeemed.
CREATE TABLE portal_sessions (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    customer_id text NOT NULL COLLATE "C",
    return_url text,
    expires_at timestamptz(0) NOT NULL,
    created_at timestamptz(0) NOT NULL,
    redeemed_at timestamptz(3),
    secret_hash bytea,
    last_used_at timestamptz(3),
    ended_at timestamptz(3),
    -- A redeemed link has a secret and a time of last use; an unredeemed link has neither.
    CONSTRAINT portal_sessions_redeemed CHECK ((((redeemed_at IS NULL) = (secret_hash IS NULL)) AND ((redeemed_at IS NULL) = (last_used_at IS NULL))))
);
ALTER TABLE portal_sessions ADD CONSTRAINT portal_sessions_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX portal_sessions_secret_hash_key ON portal_sessions (secret_hash);
CREATE INDEX portal_sessions_storefront_id_testmode_customer_id_id_idx ON portal_sessions (storefront_id, testmode, customer_id, id);

-- A customer's request to change the email address. A link sent to the new address confirms it.
CREATE TABLE email_changes (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    customer_id text NOT NULL COLLATE "C",
    sealed bytea NOT NULL,
    address_hash bytea NOT NULL,
    created_at timestamptz(0) NOT NULL,
    expires_at timestamptz(0) NOT NULL,
    confirmed_at timestamptz(0),
    ended_at timestamptz(0),
    -- A request is not both confirmed and ended.
    CONSTRAINT email_changes_end CHECK (((confirmed_at IS NULL) OR (ended_at IS NULL)))
);
ALTER TABLE email_changes ADD CONSTRAINT email_changes_pkey PRIMARY KEY (id);
CREATE INDEX email_changes_storefront_id_testmode_address_hash_id_idx ON email_changes (storefront_id, testmode, address_hash, id);
CREATE INDEX email_changes_storefront_id_testmode_customer_id_id_idx ON email_changes (storefront_id, testmode, customer_id, id);

-- A customer's optional feedback about a cancellation, given in the portal.
CREATE TABLE cancellation_feedback (
    subscription_id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    reason text,
    comment text,
    created_at timestamptz(0) NOT NULL,
    CONSTRAINT cancellation_feedback_reason CHECK ((reason IN ('too_expensive', 'not_used', 'missing_features', 'switched', 'other')))
);
ALTER TABLE cancellation_feedback ADD CONSTRAINT cancellation_feedback_pkey PRIMARY KEY (subscription_id);

CREATE TABLE checkouts (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    status text NOT NULL,
    customer_id text COLLATE "C",
    tax_behavior text NOT NULL,
    redirect_url_success text NOT NULL,
    redirect_url_canceled text NOT NULL,
    metadata text,
    locale text,
    billing_address jsonb NOT NULL,
    draft jsonb,
    expires_at timestamptz(0) NOT NULL,
    created_at timestamptz(0) NOT NULL,
    CONSTRAINT checkouts_status CHECK ((status IN ('created', 'paid', 'canceled', 'failed', 'expired'))),
    CONSTRAINT checkouts_tax_behavior CHECK ((tax_behavior IN ('exclusive', 'inclusive')))
);
ALTER TABLE checkouts ALTER COLUMN storefront_id SET (n_distinct=-0.5);
ALTER TABLE checkouts ADD CONSTRAINT checkouts_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX checkouts_id_storefront_id_testmode_key ON checkouts (id, storefront_id, testmode);
-- Checkouts with a customer, by customer.
CREATE INDEX checkouts_of_customer ON checkouts (customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX checkouts_storefront_id_testmode_id_idx ON checkouts (storefront_id, testmode, id);
CREATE INDEX checkouts_storefront_id_testmode_status_id_idx ON checkouts (storefront_id, testmode, status, id);

CREATE TABLE checkout_lines (
    id text NOT NULL COLLATE "C",
    checkout_id text NOT NULL COLLATE "C",
    "position" integer NOT NULL,
    product_id text NOT NULL COLLATE "C",
    kind text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    unit_price bigint NOT NULL,
    quantity integer NOT NULL,
    product_type text NOT NULL,
    "interval" text,
    interval_count integer,
    trial_days integer,
    metadata text,
    CONSTRAINT checkout_lines_interval CHECK (("interval" IN ('day', 'week', 'month', 'year'))),
    CONSTRAINT checkout_lines_kind CHECK ((kind IN ('subscription_plan', 'one_off_product'))),
    CONSTRAINT checkout_lines_product_type CHECK ((product_type IN ('saas', 'ebook')))
);
ALTER TABLE checkout_lines ADD CONSTRAINT checkout_lines_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX checkout_lines_checkout_id_position_key ON checkout_lines (checkout_id, "position");

CREATE TABLE orders (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    checkout_id text COLLATE "C",
    customer_id text COLLATE "C",
    status text NOT NULL,
    payment_method text,
    currency text NOT NULL,
    exchange_rate text,
    tax_behavior text NOT NULL,
    subtotal bigint NOT NULL,
    total bigint NOT NULL,
    reversed_subtotal bigint DEFAULT 0 NOT NULL,
    tax_summary jsonb NOT NULL,
    customer_details jsonb NOT NULL,
    seller jsonb NOT NULL,
    locale text NOT NULL,
    metadata text,
    invoice_number text,
    invoice_scope text,
    created_at timestamptz(0) NOT NULL,
    paid_at timestamptz(0),
    immediate_at timestamptz(3),
    subscription_id text COLLATE "C",
    corrected_at timestamptz(0),
    credited_order_id text COLLATE "C",
    refunding_subtotal bigint DEFAULT 0 NOT NULL,
    verifying_subscription_id text COLLATE "C",
    begins_at_once boolean DEFAULT false NOT NULL,
    withdrawal text,
    exchange_rate_on date,
    exchange_rate_source text,
    vat_stated_in jsonb,
    replaced_by_id text COLLATE "C",
    replaces_order_id text COLLATE "C",
    -- A credit note is paid and has no returned amount.
    CONSTRAINT orders_credit_notes_are_final CHECK (((credited_order_id IS NULL) OR ((status = 'paid'::text) AND ((reversed_subtotal + refunding_subtotal) = 0)))),
    -- A rate has a source, and a rate of the European Central Bank has its day.
    CONSTRAINT orders_exchange_rate_source CHECK ((((exchange_rate IS NULL) = (exchange_rate_source IS NULL)) AND (COALESCE(exchange_rate_source, ''::text) IN ('', 'ecb', 'built_in')) AND ((exchange_rate_on IS NOT NULL) = (COALESCE(exchange_rate_source, ''::text) = 'ecb'::text)))),
    -- invoice_number and invoice_scope are set together.
    CONSTRAINT orders_number_in_series CHECK (((invoice_number IS NULL) = (invoice_scope IS NULL))),
    -- A paid order has an invoice number, unless its total is zero; a credit note always has one. An order keeps its
    -- number when the bank returns the debit that paid it.
    CONSTRAINT orders_numbered CHECK (
CASE
    WHEN (status = 'paid'::text) THEN ((invoice_number IS NOT NULL) = ((total > 0) OR (credited_order_id IS NOT NULL)))
    ELSE ((invoice_number IS NULL) OR ((paid_at IS NOT NULL) AND (status IN ('pending', 'canceled'))))
END),
    -- A paid order has paid_at, also after the bank returned its debit.
    CONSTRAINT orders_paid_at CHECK (
CASE
    WHEN (status = 'paid'::text) THEN (paid_at IS NOT NULL)
    ELSE ((paid_at IS NULL) OR ((invoice_number IS NOT NULL) AND (status IN ('pending', 'canceled'))))
END),
    CONSTRAINT orders_payment_method CHECK ((payment_method IN ('creditcard', 'ideal', 'bancontact', 'paypal', 'directdebit', 'banktransfer', 'paybybank'))),
    -- An invoice that replaces another is paid and has no returned amount.
    CONSTRAINT orders_replacements_are_final CHECK (((replaces_order_id IS NULL) OR ((status = 'paid'::text) AND (credited_order_id IS NULL) AND (replaced_by_id IS NULL) AND ((reversed_subtotal + refunding_subtotal) = 0)))),
    -- An unpaid order has no returned amount.
    CONSTRAINT orders_reversed_once_paid CHECK (((status = 'paid'::text) OR ((reversed_subtotal + refunding_subtotal) = 0))),
    -- The returned amount is at most the subtotal.
    CONSTRAINT orders_reversed_within_subtotal CHECK (((reversed_subtotal >= 0) AND (refunding_subtotal >= 0) AND ((reversed_subtotal + refunding_subtotal) <= GREATEST(subtotal, (0)::bigint)))),
    CONSTRAINT orders_status CHECK ((status IN ('created', 'pending', 'paid', 'canceled', 'expired'))),
    CONSTRAINT orders_tax_behavior CHECK ((tax_behavior IN ('exclusive', 'inclusive'))),
    -- verifying_subscription_id is null or equals subscription_id, and is set only on an open order with a total of 0.
    CONSTRAINT orders_verification CHECK (((verifying_subscription_id IS NULL) OR ((verifying_subscription_id = subscription_id) AND (total = 0) AND (status IN ('created', 'pending'))))),
    CONSTRAINT orders_withdrawal CHECK ((withdrawal IN ('digital_content', 'service', 'mixed')))
);
ALTER TABLE orders ALTER COLUMN storefront_id SET (n_distinct=-0.5);
ALTER TABLE orders ADD CONSTRAINT orders_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX orders_checkout_id_key ON orders (checkout_id);
CREATE UNIQUE INDEX orders_checkout_id_storefront_id_testmode_key ON orders (checkout_id, storefront_id, testmode);
-- Credit notes by the order that they credit.
CREATE INDEX orders_credited ON orders (credited_order_id) WHERE (credited_order_id IS NOT NULL);
CREATE UNIQUE INDEX orders_id_storefront_id_testmode_key ON orders (id, storefront_id, testmode);
CREATE INDEX orders_invoice_number_idx ON orders (invoice_number);
CREATE UNIQUE INDEX orders_invoice_scope_invoice_number_key ON orders (invoice_scope, invoice_number);
CREATE UNIQUE INDEX orders_replaced_by_id_storefront_id_testmode_key ON orders (replaced_by_id, storefront_id, testmode);
CREATE UNIQUE INDEX orders_replaces_order_id_storefront_id_testmode_key ON orders (replaces_order_id, storefront_id, testmode);
CREATE INDEX orders_storefront_id_testmode_customer_id_id_idx ON orders (storefront_id, testmode, customer_id, id);
CREATE INDEX orders_storefront_id_testmode_id_idx ON orders (storefront_id, testmode, id);
CREATE INDEX orders_storefront_id_testmode_status_id_idx ON orders (storefront_id, testmode, status, id);
CREATE INDEX orders_subscription_id_id_idx ON orders (subscription_id, id);
CREATE UNIQUE INDEX orders_verifying_subscription_id_key ON orders (verifying_subscription_id);

-- A consumer's declaration of withdrawal from a contract or some of its lines (Directive 2011/83/EU, art. 11a).
CREATE TABLE order_withdrawals (
    order_id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    source text NOT NULL,
    sealed bytea NOT NULL,
    declared_at timestamptz(0) NOT NULL,
    checkout_line_ids text[],
    number integer NOT NULL,
    quantities integer[],
    -- Each line has a quantity.
    CONSTRAINT order_withdrawals_quantities CHECK (((cardinality(quantities) = cardinality(checkout_line_ids)) AND (1 <= ALL (quantities)))),
    CONSTRAINT order_withdrawals_source CHECK ((source IN ('portal', 'link')))
);
ALTER TABLE order_withdrawals ADD CONSTRAINT order_withdrawals_pkey PRIMARY KEY (order_id, number);

CREATE TABLE order_lines (
    id text NOT NULL COLLATE "C",
    order_id text NOT NULL COLLATE "C",
    "position" integer NOT NULL,
    description text NOT NULL,
    quantity integer NOT NULL,
    base_price text NOT NULL,
    subtotal bigint NOT NULL,
    total bigint NOT NULL,
    taxes jsonb NOT NULL,
    product_type text,
    product_id text COLLATE "C",
    invoice_description text,
    service_from timestamptz(0),
    service_until timestamptz(0),
    terms_change jsonb,
    -- service_from and service_until are set together.
    CONSTRAINT order_lines_service_has_both_ends CHECK (((service_from IS NULL) = (service_until IS NULL)))
);
ALTER TABLE order_lines ADD CONSTRAINT order_lines_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX order_lines_order_id_position_key ON order_lines (order_id, "position");

CREATE TABLE payments (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    order_id text NOT NULL COLLATE "C",
    checkout_id text COLLATE "C",
    method text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    status text NOT NULL,
    failure_reason text,
    makes_mandate boolean NOT NULL,
    provider text NOT NULL,
    provider_ref text,
    paid_order_id text COLLATE "C",
    open_order_id text COLLATE "C",
    created_at timestamptz(0) NOT NULL,
    finished_at timestamptz(0),
    mandate_id text COLLATE "C",
    billing_update_link_id text COLLATE "C",
    country text,
    returned_at timestamptz(0),
    settles_before timestamptz(0),
    transfer jsonb,
    return_ref text COLLATE "C",
    return_fee bigint,
    CONSTRAINT payments_country CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT payments_failure_reason CHECK ((failure_reason IN ('insufficient_funds', 'temporary_decline', 'general_failure', 'invalid_mandate', 'mandate_canceled', 'account_closed', 'card_expired', 'card_lost_or_stolen', 'invalid_card_details', 'authentication_failed', 'fraud_suspected'))),
    -- finished_at is set if and only if the status is final.
    CONSTRAINT payments_finished CHECK (((finished_at IS NOT NULL) = (status IN ('paid', 'failed', 'canceled', 'expired')))),
    CONSTRAINT payments_method CHECK ((method IN ('creditcard', 'ideal', 'bancontact', 'paypal', 'directdebit', 'banktransfer', 'paybybank'))),
    -- A payment belongs to exactly one of a checkout, a billing update, and a charge on a mandate.
    CONSTRAINT payments_of_one_kind CHECK ((num_nonnulls(checkout_id, billing_update_link_id, mandate_id) = 1)),
    -- open_order_id is set until the outcome is known.
    CONSTRAINT payments_open_order CHECK (((open_order_id IS NOT NULL) = (status IN ('created', 'open', 'pending')))),
    -- paid_order_id is set if and only if it is paid.
    CONSTRAINT payments_paid_order CHECK (((paid_order_id IS NOT NULL) = (status = 'paid'::text))),
    -- return_ref and return_fee are set together, on a failed payment.
    CONSTRAINT payments_return_ref CHECK ((((return_ref IS NULL) = (return_fee IS NULL)) AND ((return_ref IS NULL) OR ((status = 'failed'::text) AND (returned_at IS NOT NULL))))),
    -- returned_at is set only if the payment did not pay its order.
    CONSTRAINT payments_returned CHECK (((returned_at IS NULL) OR (status IN ('failed', 'canceled', 'expired')))),
    CONSTRAINT payments_status CHECK ((status IN ('created', 'open', 'pending', 'paid', 'failed', 'canceled', 'expired')))
);
ALTER TABLE payments ADD CONSTRAINT payments_pkey PRIMARY KEY (id);
CREATE INDEX payments_billing_update_link_id_idx ON payments (billing_update_link_id);
-- Payments that the provider knows, by provider.
CREATE INDEX payments_newest_of_provider ON payments (provider, id) WHERE (provider_ref IS NOT NULL);
-- Charges without an outcome, by mandate.
CREATE INDEX payments_open_of_mandate ON payments (mandate_id) WHERE ((mandate_id IS NOT NULL) AND (open_order_id IS NOT NULL));
CREATE UNIQUE INDEX payments_open_order_id_key ON payments (open_order_id);
CREATE INDEX payments_order_id_idx ON payments (order_id);
CREATE UNIQUE INDEX payments_paid_order_id_key ON payments (paid_order_id);
CREATE UNIQUE INDEX payments_provider_ref_key ON payments (provider_ref);
CREATE UNIQUE INDEX payments_return_ref_key ON payments (return_ref);

-- Reference rates of the European Central Bank for live mode, for all currencies that it publishes.
CREATE TABLE exchange_rates (
    currency text NOT NULL,
    day date NOT NULL,
    rate text NOT NULL,
    fetched_at timestamptz(0) NOT NULL
);
ALTER TABLE exchange_rates ADD CONSTRAINT exchange_rates_pkey PRIMARY KEY (currency, day);

-- A payment as requested from Mollie. The row is written before the first request, so that a retry looks the payment
-- up before it charges.
CREATE TABLE mollie_payments (
    payment_id text NOT NULL,
    customer_ref text,
    ref text,
    asked_at timestamptz(0) NOT NULL
);
ALTER TABLE mollie_payments ADD CONSTRAINT mollie_payments_pkey PRIMARY KEY (payment_id);
CREATE UNIQUE INDEX mollie_payments_ref_key ON mollie_payments (ref);

-- A payment as requested from Stripe, written before the first request.
CREATE TABLE stripe_payments (
    payment_id text NOT NULL,
    customer_ref text,
    ref text,
    intent_ref text,
    asked_at timestamptz(0) NOT NULL,
    spent_keys jsonb DEFAULT '{}'::jsonb NOT NULL
);
ALTER TABLE stripe_payments ADD CONSTRAINT stripe_payments_pkey PRIMARY KEY (payment_id);
CREATE UNIQUE INDEX stripe_payments_intent_ref_key ON stripe_payments (intent_ref);
CREATE UNIQUE INDEX stripe_payments_ref_key ON stripe_payments (ref);

-- A storefront's own account at a payment provider of live mode. Without one, the installation's account takes the
-- payments. Accounts are never deleted: payments and mandates name them (`mollie-provider_account_…` in `provider`)
-- and keep using them.
CREATE TABLE provider_accounts (
    id text NOT NULL,
    storefront_id text NOT NULL,
    provider text NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamptz(0) NOT NULL,
    ended_at timestamptz(0),
    CONSTRAINT provider_accounts_provider CHECK ((provider IN ('mollie', 'stripe')))
);
ALTER TABLE provider_accounts ADD CONSTRAINT provider_accounts_pkey PRIMARY KEY (id);
-- One account of a storefront takes new payments.
CREATE UNIQUE INDEX provider_accounts_current ON provider_accounts (storefront_id) WHERE (ended_at IS NULL);
CREATE INDEX provider_accounts_storefront_id_id_idx ON provider_accounts (storefront_id, id);

-- The daily comparison of our books with those of a payment provider of live mode.
CREATE TABLE reconciliations (
    provider text NOT NULL,
    day date NOT NULL,
    claimed_at timestamptz(0) NOT NULL,
    finished_at timestamptz(0),
    payments integer,
    refunds integer,
    differences jsonb,
    chargebacks integer,
    settlements jsonb
);
ALTER TABLE reconciliations ADD CONSTRAINT reconciliations_pkey PRIMARY KEY (provider, day);

-- The records of the built-in test provider, separate from our own.
CREATE TABLE sandbox_payments (
    ref text NOT NULL COLLATE "C",
    idempotency_key text NOT NULL,
    storefront_id text NOT NULL COLLATE "C",
    method text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    makes_mandate boolean NOT NULL,
    locale text,
    return_url text,
    status text NOT NULL,
    failure_reason text,
    mandate text,
    settles_at timestamptz(0),
    created_at timestamptz(0) NOT NULL,
    mandate_ref text COLLATE "C",
    returns boolean DEFAULT false NOT NULL,
    CONSTRAINT sandbox_payments_mandate CHECK ((mandate IN ('valid', 'pending'))),
    CONSTRAINT sandbox_payments_method CHECK ((method IN ('creditcard', 'ideal', 'bancontact', 'paypal', 'directdebit'))),
    CONSTRAINT sandbox_payments_status CHECK ((status IN ('open', 'pending', 'paid', 'failed', 'canceled', 'expired')))
);
ALTER TABLE sandbox_payments ADD CONSTRAINT sandbox_payments_pkey PRIMARY KEY (ref);
CREATE UNIQUE INDEX sandbox_payments_idempotency_key_key ON sandbox_payments (idempotency_key);

CREATE TABLE sandbox_refunds (
    ref text NOT NULL COLLATE "C",
    idempotency_key text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    payment_ref text NOT NULL COLLATE "C",
    amount bigint NOT NULL,
    currency text NOT NULL,
    status text NOT NULL,
    created_at timestamptz(0) NOT NULL,
    CONSTRAINT sandbox_refunds_status CHECK ((status IN ('refunded', 'failed')))
);
ALTER TABLE sandbox_refunds ADD CONSTRAINT sandbox_refunds_pkey PRIMARY KEY (ref);
CREATE UNIQUE INDEX sandbox_refunds_idempotency_key_key ON sandbox_refunds (idempotency_key);
CREATE INDEX sandbox_refunds_payment_ref_idx ON sandbox_refunds (payment_ref);

-- Refunds that the test provider's bank refuses. All other refunds succeed.
CREATE TABLE sandbox_refusals (
    idempotency_key text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C"
);
ALTER TABLE sandbox_refusals ADD CONSTRAINT sandbox_refusals_pkey PRIMARY KEY (idempotency_key);

CREATE TABLE sandbox_chargebacks (
    ref text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    payment_ref text NOT NULL COLLATE "C",
    amount bigint NOT NULL,
    currency text NOT NULL,
    reason text NOT NULL,
    status text NOT NULL,
    created_at timestamptz(0) NOT NULL,
    CONSTRAINT sandbox_chargebacks_status CHECK ((status IN ('pending', 'evidence_submitted', 'accepted', 'won', 'lost')))
);
ALTER TABLE sandbox_chargebacks ADD CONSTRAINT sandbox_chargebacks_pkey PRIMARY KEY (ref);
CREATE INDEX sandbox_chargebacks_payment_ref_idx ON sandbox_chargebacks (payment_ref);

-- Mandates that the test provider declines to charge, with the reason. Charges on all other mandates succeed.
CREATE TABLE sandbox_declines (
    mandate_ref text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    failure_reason text NOT NULL
);
ALTER TABLE sandbox_declines ADD CONSTRAINT sandbox_declines_pkey PRIMARY KEY (mandate_ref);

-- Mandates whose direct debits the buyer's bank returns, days after they were paid.
CREATE TABLE sandbox_returns (
    mandate_ref text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    code text DEFAULT 'AM04'::text NOT NULL
);
ALTER TABLE sandbox_returns ADD CONSTRAINT sandbox_returns_pkey PRIMARY KEY (mandate_ref);

CREATE TABLE mandates (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    customer_id text NOT NULL COLLATE "C",
    method text NOT NULL,
    masked_identifier text NOT NULL,
    status text NOT NULL,
    created_at timestamptz(0) NOT NULL,
    provider_ref text NOT NULL COLLATE "C",
    provider text NOT NULL,
    reference text,
    revoked_at timestamptz(0),
    disputed_at timestamptz(0),
    CONSTRAINT mandates_method CHECK ((method IN ('card', 'sepa_debit', 'paypal', 'bacs_debit'))),
    CONSTRAINT mandates_status CHECK ((status IN ('valid', 'pending')))
);
ALTER TABLE mandates ADD CONSTRAINT mandates_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX mandates_id_storefront_id_testmode_key ON mandates (id, storefront_id, testmode);

CREATE TABLE subscriptions (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    customer_id text NOT NULL COLLATE "C",
    subscription_plan_id text NOT NULL COLLATE "C",
    checkout_line_id text NOT NULL COLLATE "C",
    name text NOT NULL,
    description text NOT NULL,
    billing_address jsonb NOT NULL,
    currency text NOT NULL,
    price bigint NOT NULL,
    tax_behavior text NOT NULL,
    quantity integer NOT NULL,
    "interval" text NOT NULL,
    interval_count integer NOT NULL,
    status text NOT NULL,
    cancellation_reason text,
    mandate_id text COLLATE "C",
    anchor_at timestamptz(0),
    cycle integer DEFAULT 0 NOT NULL,
    started_at timestamptz(0),
    ended_at timestamptz(0),
    canceled_at timestamptz(0),
    renewed_at timestamptz(0),
    renewed_until timestamptz(0),
    trial_until timestamptz(0),
    scheduled_update jsonb,
    locale text NOT NULL,
    created_at timestamptz(0) NOT NULL,
    parked jsonb,
    period_end timestamptz(0),
    period_paid bigint,
    period_seconds bigint,
    period_start timestamptz(0),
    resumes_to text COLLATE "C",
    -- A reason requires canceled_at.
    CONSTRAINT subscriptions_cancellation_reason CHECK (((cancellation_reason IS NULL) OR (canceled_at IS NOT NULL))),
    CONSTRAINT subscriptions_interval CHECK (("interval" IN ('day', 'week', 'month', 'year'))),
    -- A subscription that is canceled or in its grace period has no scheduled update. After the grace period it has no
    -- parked lines either.
    CONSTRAINT subscriptions_nothing_ahead_once_canceled CHECK ((((status <> ALL (ARRAY['canceled'::text, 'on_grace_period'::text])) OR (scheduled_update IS NULL)) AND ((status <> 'canceled'::text) OR (parked IS NULL)))),
    -- The four period_ columns are set together.
    CONSTRAINT subscriptions_period CHECK ((((period_start IS NULL) = (period_end IS NULL)) AND ((period_start IS NULL) = (period_seconds IS NULL)) AND ((period_start IS NULL) = (period_paid IS NULL)))),
    CONSTRAINT subscriptions_reasons CHECK ((cancellation_reason IN ('payment_failure', 'merchant_request', 'customer_request'))),
    -- resumes_to is set if and only if the subscription is in a grace period, and is trial if and only if trial_until
    -- is set.
    CONSTRAINT subscriptions_resumes_to CHECK ((((resumes_to IS NOT NULL) = (status = 'on_grace_period'::text)) AND ((resumes_to IS NULL) OR ((resumes_to IN ('trial', 'active', 'paused')) AND ((resumes_to = 'trial'::text) = (trial_until IS NOT NULL)))))),
    CONSTRAINT subscriptions_status CHECK ((status IN ('created', 'trial', 'active', 'canceled', 'on_grace_period', 'paused'))),
    CONSTRAINT subscriptions_tax_behavior CHECK ((tax_behavior IN ('exclusive', 'inclusive'))),
    -- started_at, canceled_at, ended_at agree with the status.
    CONSTRAINT subscriptions_times CHECK (
CASE status
    WHEN 'created'::text THEN ((started_at IS NULL) AND (canceled_at IS NULL) AND (ended_at IS NULL))
    WHEN 'on_grace_period'::text THEN ((canceled_at IS NOT NULL) AND (ended_at IS NULL))
    WHEN 'canceled'::text THEN (ended_at IS NOT NULL)
    ELSE ((started_at IS NOT NULL) AND (renewed_until IS NOT NULL) AND (canceled_at IS NULL) AND (ended_at IS NULL))
END)
);
ALTER TABLE subscriptions ALTER COLUMN storefront_id SET (n_distinct=-0.5);
ALTER TABLE subscriptions ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX subscriptions_checkout_line_id_key ON subscriptions (checkout_line_id);
CREATE UNIQUE INDEX subscriptions_id_storefront_id_testmode_key ON subscriptions (id, storefront_id, testmode);
CREATE INDEX subscriptions_mandate_id_idx ON subscriptions (mandate_id);
-- The plan of a scheduled update.
CREATE INDEX subscriptions_scheduled_plan ON subscriptions ((((scheduled_update -> 'plan'::text) ->> 'planId'::text))) WHERE (scheduled_update IS NOT NULL);
CREATE INDEX subscriptions_storefront_id_testmode_customer_id_id_idx ON subscriptions (storefront_id, testmode, customer_id, id);
CREATE INDEX subscriptions_storefront_id_testmode_id_idx ON subscriptions (storefront_id, testmode, id);
CREATE INDEX subscriptions_storefront_id_testmode_status_id_idx ON subscriptions (storefront_id, testmode, status, id);
CREATE INDEX subscriptions_storefront_id_testmode_subscription_plan_id_i_idx ON subscriptions (storefront_id, testmode, subscription_plan_id, id);
CREATE INDEX subscriptions_subscription_plan_id_idx ON subscriptions (subscription_plan_id);

-- One row per billed period. Periods of a subscription do not overlap, so that no period is billed twice. A shortened
-- period ends earlier. A period that never began is empty.
CREATE TABLE subscription_periods (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    subscription_id text NOT NULL COLLATE "C",
    start_at timestamptz(0) NOT NULL,
    end_at timestamptz(0) NOT NULL,
    order_id text COLLATE "C",
    created_at timestamptz(0) NOT NULL,
    -- No period ends before it starts.
    CONSTRAINT subscription_periods_order CHECK ((start_at <= end_at))
);
-- Periods of one subscription do not overlap. It needs the extension btree_gist.
ALTER TABLE subscription_periods ADD CONSTRAINT subscription_periods_bill_once EXCLUDE USING gist (subscription_id WITH =, tstzrange(start_at, end_at) WITH &&);
ALTER TABLE subscription_periods ADD CONSTRAINT subscription_periods_pkey PRIMARY KEY (id);
CREATE INDEX subscription_periods_order_id_idx ON subscription_periods (order_id);

-- A link to change the billing details of a subscription. Its URL has a signature, which is not stored.
CREATE TABLE billing_update_links (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    subscription_id text NOT NULL COLLATE "C",
    redirect_url_success text,
    redirect_url_canceled text,
    billing_address jsonb,
    draft jsonb,
    expires_at timestamptz(0) NOT NULL,
    created_at timestamptz(0) NOT NULL
);
ALTER TABLE billing_update_links ADD CONSTRAINT billing_update_links_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX billing_update_links_id_storefront_id_testmode_key ON billing_update_links (id, storefront_id, testmode);
CREATE INDEX billing_update_links_subscription_id_idx ON billing_update_links (subscription_id);

CREATE TABLE refunds (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    order_id text NOT NULL COLLATE "C",
    customer_id text NOT NULL COLLATE "C",
    status text NOT NULL,
    currency text NOT NULL,
    subtotal bigint NOT NULL,
    total bigint NOT NULL,
    tax_summary jsonb NOT NULL,
    metadata text,
    fee_returned bigint DEFAULT 0 NOT NULL,
    window_ends_at timestamptz(0) NOT NULL,
    credit_note_id text COLLATE "C",
    created_at timestamptz(0) NOT NULL,
    finished_at timestamptz(0),
    recalled_at timestamptz(0),
    -- A refund has a credit note if and only if it is refunded.
    CONSTRAINT refunds_credit_note_iff_refunded CHECK (((credit_note_id IS NOT NULL) = (status = 'refunded'::text))),
    -- finished_at is set if and only if the status is final.
    CONSTRAINT refunds_finished CHECK (((finished_at IS NOT NULL) = (status IN ('refunded', 'failed', 'canceled')))),
    -- The total is positive, and net and tax are not negative. A refund with a net of zero returns the tax of a
    -- replaced invoice.
    CONSTRAINT refunds_of_something CHECK (((subtotal >= 0) AND (total > 0) AND (total >= subtotal))),
    CONSTRAINT refunds_status CHECK ((status IN ('pending', 'queued', 'processing', 'refunded', 'failed', 'canceled')))
);
ALTER TABLE refunds ALTER COLUMN storefront_id SET (n_distinct=-0.5);
ALTER TABLE refunds ADD CONSTRAINT refunds_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX refunds_credit_note_id_key ON refunds (credit_note_id);
CREATE UNIQUE INDEX refunds_credit_note_id_storefront_id_testmode_key ON refunds (credit_note_id, storefront_id, testmode);
CREATE UNIQUE INDEX refunds_id_storefront_id_testmode_key ON refunds (id, storefront_id, testmode);
CREATE INDEX refunds_order_id_id_idx ON refunds (order_id, id);
-- Refunds that can be canceled, by window_ends_at.
CREATE INDEX refunds_pending ON refunds (storefront_id, testmode, currency, window_ends_at) WHERE (status = 'pending'::text);
-- Refunds that wait for the balance, oldest first.
CREATE INDEX refunds_queued ON refunds (storefront_id, testmode, currency, id) WHERE (status = 'queued'::text);
CREATE INDEX refunds_storefront_id_testmode_customer_id_id_idx ON refunds (storefront_id, testmode, customer_id, id);
CREATE INDEX refunds_storefront_id_testmode_id_idx ON refunds (storefront_id, testmode, id);
CREATE INDEX refunds_storefront_id_testmode_status_id_idx ON refunds (storefront_id, testmode, status, id);

-- A dispute at the payment provider. During its review a chargeback has no lines and does not reduce the order.
CREATE TABLE chargebacks (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    order_id text NOT NULL COLLATE "C",
    customer_id text NOT NULL COLLATE "C",
    provider_ref text NOT NULL COLLATE "C",
    status text NOT NULL,
    reason text NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    subtotal bigint NOT NULL,
    total bigint NOT NULL,
    tax_summary jsonb NOT NULL,
    credit_note_id text COLLATE "C",
    created_at timestamptz(0) NOT NULL,
    finished_at timestamptz(0),
    provider_fee bigint NOT NULL,
    -- A chargeback has a credit note if and only if it is accepted or lost.
    CONSTRAINT chargebacks_credit_note_iff_gone CHECK (((credit_note_id IS NOT NULL) = (status IN ('accepted', 'lost')))),
    -- finished_at is set if and only if the status is final.
    CONSTRAINT chargebacks_finished CHECK (((finished_at IS NOT NULL) = (status IN ('accepted', 'rejected', 'won', 'lost')))),
    -- Total is zero in review and after a rejection.
    CONSTRAINT chargebacks_held_count_nothing CHECK (((status <> ALL (ARRAY['requires_amount_review'::text, 'rejected'::text])) OR (total = 0))),
    -- Amount is positive, no other amount is negative, and total is at most amount.
    CONSTRAINT chargebacks_of_something CHECK (((amount > 0) AND (provider_fee >= 0) AND (subtotal >= 0) AND ((total >= subtotal) AND (total <= amount)))),
    -- Pending, requires_amount_review, accepted, rejected, evidence_submitted, won, lost.
    CONSTRAINT chargebacks_status CHECK ((status IN ('pending', 'requires_amount_review', 'accepted', 'rejected', 'evidence_submitted', 'won', 'lost')))
);
ALTER TABLE chargebacks ALTER COLUMN storefront_id SET (n_distinct=-0.5);
ALTER TABLE chargebacks ADD CONSTRAINT chargebacks_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX chargebacks_credit_note_id_key ON chargebacks (credit_note_id);
CREATE UNIQUE INDEX chargebacks_credit_note_id_storefront_id_testmode_key ON chargebacks (credit_note_id, storefront_id, testmode);
CREATE UNIQUE INDEX chargebacks_id_storefront_id_testmode_key ON chargebacks (id, storefront_id, testmode);
CREATE INDEX chargebacks_order_id_id_idx ON chargebacks (order_id, id);
CREATE UNIQUE INDEX chargebacks_provider_ref_key ON chargebacks (provider_ref);
CREATE INDEX chargebacks_storefront_id_testmode_customer_id_id_idx ON chargebacks (storefront_id, testmode, customer_id, id);
CREATE INDEX chargebacks_storefront_id_testmode_id_idx ON chargebacks (storefront_id, testmode, id);
CREATE INDEX chargebacks_storefront_id_testmode_status_id_idx ON chargebacks (storefront_id, testmode, status, id);
-- Chargebacks of all storefronts in review, oldest first.
CREATE INDEX chargebacks_to_decide ON chargebacks (id) WHERE (status = 'requires_amount_review'::text);

-- The part of an order line that a refund or chargeback returns.
CREATE TABLE reversal_lines (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    order_id text NOT NULL COLLATE "C",
    order_line_id text NOT NULL COLLATE "C",
    refund_id text COLLATE "C",
    chargeback_id text COLLATE "C",
    "position" integer NOT NULL,
    description text NOT NULL,
    quantity integer NOT NULL,
    base_price text NOT NULL,
    subtotal bigint NOT NULL,
    total bigint NOT NULL,
    taxes jsonb NOT NULL,
    invoice_description text,
    -- A line belongs to either a refund or a chargeback.
    CONSTRAINT reversal_lines_of_one CHECK (((refund_id IS NULL) <> (chargeback_id IS NULL))),
    -- Amounts and tax are not negative.
    CONSTRAINT reversal_lines_of_something CHECK (((subtotal >= 0) AND (total >= subtotal)))
);
ALTER TABLE reversal_lines ADD CONSTRAINT reversal_lines_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX reversal_lines_chargeback_id_position_key ON reversal_lines (chargeback_id, "position");
CREATE INDEX reversal_lines_order_id_idx ON reversal_lines (order_id);
CREATE INDEX reversal_lines_order_line_id_idx ON reversal_lines (order_line_id);
CREATE UNIQUE INDEX reversal_lines_refund_id_position_key ON reversal_lines (refund_id, "position");

-- The recovery of a failed charge, with its retries, until the charge is paid or given up.
CREATE TABLE recoveries (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    subscription_id text COLLATE "C",
    order_id text NOT NULL COLLATE "C",
    kind text NOT NULL,
    failure_reason text NOT NULL,
    simulated boolean NOT NULL,
    steps_done integer DEFAULT 0 NOT NULL,
    next_step_at timestamptz(0),
    status text NOT NULL,
    started_at timestamptz(0) NOT NULL,
    finished_at timestamptz(0),
    collects text NOT NULL,
    CONSTRAINT recoveries_collects CHECK ((collects IN ('sale', 'renewal', 'change'))),
    CONSTRAINT recoveries_failure_reason CHECK ((failure_reason IN ('insufficient_funds', 'temporary_decline', 'general_failure', 'invalid_mandate', 'mandate_canceled', 'account_closed', 'card_expired', 'card_lost_or_stolen', 'invalid_card_details', 'authentication_failed', 'fraud_suspected'))),
    -- finished_at is set if and only if the recovery is not open.
    CONSTRAINT recoveries_finished CHECK (((status = 'open'::text) = (finished_at IS NULL))),
    CONSTRAINT recoveries_kind CHECK ((kind IN ('soft', 'hard'))),
    -- next_step_at is null once the recovery is over.
    CONSTRAINT recoveries_next_step CHECK (((status = 'open'::text) OR (next_step_at IS NULL))),
    CONSTRAINT recoveries_status CHECK ((status IN ('open', 'recovered', 'exhausted', 'ended'))),
    CONSTRAINT recoveries_subscription CHECK (((subscription_id IS NOT NULL) OR (collects = 'sale'::text)))
);
ALTER TABLE recoveries ADD CONSTRAINT recoveries_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX recoveries_order_id_key ON recoveries (order_id);
CREATE INDEX recoveries_subscription_id_idx ON recoveries (subscription_id);

-- A change of a subscription that was charged immediately, by its order. If the order is written off, the subscription
-- returns to its former terms.
CREATE TABLE charged_changes (
    order_id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    subscription_id text NOT NULL COLLATE "C",
    before jsonb NOT NULL,
    after jsonb NOT NULL,
    taken_back boolean DEFAULT false NOT NULL
);
ALTER TABLE charged_changes ADD CONSTRAINT charged_changes_pkey PRIMARY KEY (order_id);
CREATE UNIQUE INDEX charged_changes_order_id_storefront_id_testmode_key ON charged_changes (order_id, storefront_id, testmode);
CREATE INDEX charged_changes_subscription_id_order_id_idx ON charged_changes (subscription_id, order_id);

-- The outbox of emails. Recipient and content are encrypted: they are personal, and their links give access.
CREATE TABLE emails (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    kind text NOT NULL,
    locale text NOT NULL,
    sealed bytea NOT NULL,
    status text NOT NULL,
    created_at timestamptz(0) NOT NULL,
    sent_at timestamptz(3),
    order_id text COLLATE "C",
    original_id text COLLATE "C",
    bounced_at timestamptz(3),
    bounced_for_good boolean DEFAULT false NOT NULL,
    complained_at timestamptz(3),
    subscription_id text,
    customer_id text COLLATE "C",
    -- bounced_for_good requires bounced_at.
    CONSTRAINT emails_bounced CHECK (((bounced_at IS NOT NULL) OR (NOT bounced_for_good))),
    CONSTRAINT emails_kind CHECK ((kind IN ('receipt', 'payment_recovered', 'subscription_confirmation', 'trial_ending', 'renewal_notice', 'refund', 'billing_updated', 'cancellation', 'subscription_ended', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'change_undone', 'review_decided', 'endpoint_disabled', 'chargeback_received', 'payout_created', 'portal_link', 'member_invitation', 'password_reset', 'email_change', 'email_changed', 'withdrawal_received', 'withdrawal_declared', 'debit_notice', 'passkey_added', 'invoice_corrected', 'payout_account_changed', 'payout_returned', 'access_changed', 'own_access_changed', 'renewal_uncollectable', 'payment_method_missing', 'transfer_instructions', 'purchase_unpaid'))),
    -- sent_at is set if and only if the email is sent.
    CONSTRAINT emails_sent_at CHECK (((status = 'sent'::text) = (sent_at IS NOT NULL))),
    CONSTRAINT emails_status CHECK ((status IN ('kept', 'queued', 'sent', 'refused', 'suppressed', 'unsupported')))
);
ALTER TABLE emails ALTER COLUMN storefront_id SET (n_distinct=-0.5);
ALTER TABLE emails ADD CONSTRAINT emails_pkey PRIMARY KEY (id);
-- Emails that concern a customer, by customer.
CREATE INDEX emails_of_customer ON emails (customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX emails_order_id_id_idx ON emails (order_id, id);
-- An order has one email with its document, apart from resends.
CREATE UNIQUE INDEX emails_order_id_key ON emails (order_id) WHERE (original_id IS NULL);
CREATE INDEX emails_original_id_idx ON emails (original_id);
CREATE INDEX emails_storefront_id_testmode_id_idx ON emails (storefront_id, testmode, id);
CREATE INDEX emails_storefront_id_testmode_status_id_idx ON emails (storefront_id, testmode, status, id);
CREATE INDEX emails_subscription_id_id_idx ON emails (subscription_id, id);

-- An address that gets no more emails of a storefront, after a permanent bounce or a complaint.
CREATE TABLE email_suppressions (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    address_hash bytea NOT NULL,
    cause text NOT NULL,
    sealed bytea NOT NULL,
    noticed_at timestamptz(3) NOT NULL,
    lifted_at timestamptz(3),
    CONSTRAINT email_suppressions_cause CHECK ((cause IN ('bounce', 'complaint')))
);
ALTER TABLE email_suppressions ADD CONSTRAINT email_suppressions_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX email_suppressions_storefront_id_testmode_address_hash_caus_key ON email_suppressions (storefront_id, testmode, address_hash, cause);

-- Emails that a storefront has switched off, in both modes; only those that the law does not require.
CREATE TABLE disabled_email_kinds (
    storefront_id text NOT NULL COLLATE "C",
    kind text NOT NULL COLLATE "C",
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT disabled_email_kinds_kind CHECK ((kind IN ('trial_ending', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'review_decided', 'endpoint_disabled', 'chargeback_received', 'payout_created', 'payout_returned', 'withdrawal_declared', 'renewal_uncollectable')))
);
ALTER TABLE disabled_email_kinds ADD CONSTRAINT disabled_email_kinds_pkey PRIMARY KEY (storefront_id, kind);

CREATE TABLE fast_forwards (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    subscription_id text NOT NULL COLLATE "C",
    open_subscription_id text COLLATE "C",
    period_start timestamptz(0) NOT NULL,
    payment_status text,
    failure_reason text,
    order_id text COLLATE "C",
    created_at timestamptz(0) NOT NULL,
    CONSTRAINT fast_forwards_failure_reason CHECK ((failure_reason IN ('insufficient_funds', 'temporary_decline', 'general_failure', 'invalid_mandate', 'mandate_canceled', 'account_closed', 'card_expired', 'card_lost_or_stolen', 'invalid_card_details', 'authentication_failed', 'fraud_suspected'))),
    -- open_subscription_id is null or subscription_id.
    CONSTRAINT fast_forwards_open CHECK (((open_subscription_id IS NULL) OR (open_subscription_id = subscription_id))),
    CONSTRAINT fast_forwards_payment_status CHECK ((payment_status IN ('paid', 'failed')))
);
ALTER TABLE fast_forwards ADD CONSTRAINT fast_forwards_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX fast_forwards_open_subscription_id_key ON fast_forwards (open_subscription_id);
CREATE UNIQUE INDEX fast_forwards_order_id_key ON fast_forwards (order_id);

CREATE TABLE simulations (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    order_id text NOT NULL COLLATE "C",
    open_order_id text COLLATE "C",
    payment_status text NOT NULL,
    failure_reason text,
    created_at timestamptz(0) NOT NULL,
    CONSTRAINT simulations_failure_reason CHECK ((failure_reason IN ('insufficient_funds', 'temporary_decline', 'general_failure', 'invalid_mandate', 'mandate_canceled', 'account_closed', 'card_expired', 'card_lost_or_stolen', 'invalid_card_details', 'authentication_failed', 'fraud_suspected'))),
    -- open_order_id is null or order_id.
    CONSTRAINT simulations_open CHECK (((open_order_id IS NULL) OR (open_order_id = order_id))),
    CONSTRAINT simulations_payment_status CHECK ((payment_status IN ('paid', 'failed')))
);
ALTER TABLE simulations ADD CONSTRAINT simulations_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX simulations_open_order_id_key ON simulations (open_order_id);
CREATE INDEX simulations_order_id_idx ON simulations (order_id);

-- Countries and regions where the seller is registered for tax. They belong to the installation, as the seller does.
CREATE TABLE tax_registrations (
    id text NOT NULL COLLATE "C",
    country text NOT NULL,
    region text NOT NULL,
    number text NOT NULL,
    scheme text NOT NULL,
    first_day date NOT NULL,
    last_day date,
    created_at timestamptz(3) NOT NULL,
    -- The last day is not before the first.
    CONSTRAINT tax_registrations_days CHECK ((last_day >= first_day)),
    CONSTRAINT tax_registrations_scheme CHECK ((scheme IN ('local', 'oss', 'ioss')))
);
ALTER TABLE tax_registrations ADD CONSTRAINT tax_registrations_pkey PRIMARY KEY (id);
CREATE INDEX tax_registrations_country_idx ON tax_registrations (country);

-- The response of a tax registry about a tax ID. Rows are evidence and never change.
CREATE TABLE tax_id_checks (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    checkout_id text COLLATE "C",
    tax_id text NOT NULL,
    result text NOT NULL,
    name text,
    address text,
    consultation_number text,
    error text,
    source text NOT NULL,
    checked_at timestamptz(3) NOT NULL,
    customer_id text COLLATE "C",
    CONSTRAINT tax_id_checks_result CHECK ((result IN ('valid', 'invalid', 'unknown'))),
    CONSTRAINT tax_id_checks_source CHECK ((source IN ('vies', 'hmrc')))
);
ALTER TABLE tax_id_checks ADD CONSTRAINT tax_id_checks_pkey PRIMARY KEY (id);
-- Checks with a checkout, by checkout.
CREATE INDEX tax_id_checks_of_checkout ON tax_id_checks (checkout_id) WHERE (checkout_id IS NOT NULL);
-- Checks with a customer, by customer.
CREATE INDEX tax_id_checks_of_customer ON tax_id_checks (customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX tax_id_checks_storefront_id_testmode_tax_id_checked_at_idx ON tax_id_checks (storefront_id, testmode, tax_id, checked_at);

-- The evidence for the tax of a live sale: the buyer's country with its sources, and the check of the tax ID.
CREATE TABLE sale_evidence (
    order_id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    declared_country text NOT NULL,
    postal_code text,
    ip_country text,
    payment_country text,
    tax_id text,
    tax_id_check_id text COLLATE "C",
    tax_reason text NOT NULL,
    created_at timestamptz(0) NOT NULL,
    exchange_rate_on date,
    country_confirmed_at timestamptz(0),
    CONSTRAINT sale_evidence_tax_reason CHECK ((tax_reason IN ('standard', 'reverse_charge', 'outside_scope')))
);
ALTER TABLE sale_evidence ADD CONSTRAINT sale_evidence_pkey PRIMARY KEY (order_id);

CREATE TABLE invoice_series (
    scope text NOT NULL COLLATE "C",
    name text NOT NULL,
    last bigint NOT NULL,
    elsewhere bigint DEFAULT 0 NOT NULL
);
ALTER TABLE invoice_series ADD CONSTRAINT invoice_series_pkey PRIMARY KEY (scope, name);

-- The buyer's details on an invoice before each correction. The order has the current details.
CREATE TABLE invoice_versions (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    order_id text NOT NULL COLLATE "C",
    version integer NOT NULL,
    customer_details jsonb NOT NULL,
    issued_at timestamptz(0) NOT NULL
);
ALTER TABLE invoice_versions ADD CONSTRAINT invoice_versions_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX invoice_versions_order_id_version_key ON invoice_versions (order_id, version);

-- A link to correct the buyer's details on an invoice. Its URL has a signature, which is not stored.
CREATE TABLE invoice_update_links (
    id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    order_id text NOT NULL COLLATE "C",
    draft jsonb,
    expires_at timestamptz(0) NOT NULL,
    created_at timestamptz(0) NOT NULL
);
ALTER TABLE invoice_update_links ADD CONSTRAINT invoice_update_links_pkey PRIMARY KEY (id);
CREATE INDEX invoice_update_links_order_id_idx ON invoice_update_links (order_id);

-- Append-only. The entries of one ledger transaction sum to zero per currency.
CREATE TABLE ledger_entries (
    id text NOT NULL COLLATE "C",
    transaction_id text NOT NULL COLLATE "C",
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    order_id text COLLATE "C",
    cause text NOT NULL COLLATE "C",
    account text NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    created_at timestamptz(0) NOT NULL,
    subject_id text NOT NULL COLLATE "C",
    -- provider_clearing, merchant_balance, tax_payable, platform_fee, refunds, chargebacks, provider_fees, payouts.
    CONSTRAINT ledger_entries_account CHECK ((account IN ('provider_clearing', 'merchant_balance', 'tax_payable', 'platform_fee', 'refunds', 'chargebacks', 'provider_fees', 'payouts')))
);
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_pkey PRIMARY KEY (id);
-- Live entries by creation time (BRIN).
CREATE INDEX ledger_entries_live_moments ON ledger_entries USING brin (created_at) WITH (autosummarize='on', pages_per_range='16') WHERE (NOT testmode);
CREATE INDEX ledger_entries_order_id_idx ON ledger_entries (order_id);
CREATE INDEX ledger_entries_storefront_id_testmode_id_idx ON ledger_entries (storefront_id, testmode, id);
CREATE UNIQUE INDEX ledger_entries_subject_id_cause_account_key ON ledger_entries (subject_id, cause, account);

-- The balance of each account: the sum of its entries. A decision that depends on a balance locks its row first.
CREATE TABLE ledger_accounts (
    storefront_id text NOT NULL COLLATE "C",
    testmode boolean NOT NULL,
    currency text NOT NULL,
    account text NOT NULL,
    amount bigint NOT NULL,
    has_waiters boolean DEFAULT false NOT NULL
);
ALTER TABLE ledger_accounts ADD CONSTRAINT ledger_accounts_pkey PRIMARY KEY (storefront_id, testmode, currency, account);

-- The result of the nightly check of the invariants.
CREATE TABLE invariant_checks (
    day text NOT NULL COLLATE "C",
    finished_at timestamptz(3) NOT NULL,
    broken jsonb NOT NULL
);
ALTER TABLE invariant_checks ADD CONSTRAINT invariant_checks_pkey PRIMARY KEY (day);

CREATE TABLE payout_accounts (
    id text NOT NULL,
    storefront_id text NOT NULL,
    testmode boolean NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamptz(0) NOT NULL,
    valid_from timestamptz(0) NOT NULL,
    stopped_at timestamptz(0),
    -- valid_from is not before created_at, and stopped_at lies between both.
    CONSTRAINT payout_accounts_times CHECK (((valid_from >= created_at) AND ((stopped_at >= created_at) AND (stopped_at <= valid_from))))
);
ALTER TABLE payout_accounts ADD CONSTRAINT payout_accounts_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX payout_accounts_id_storefront_id_testmode_key ON payout_accounts (id, storefront_id, testmode);
CREATE INDEX payout_accounts_storefront_id_testmode_id_idx ON payout_accounts (storefront_id, testmode, id);

CREATE TABLE payouts (
    id text NOT NULL,
    storefront_id text NOT NULL,
    testmode boolean NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    status text NOT NULL,
    by_hand boolean NOT NULL,
    reference text,
    account_id text,
    batch_id text,
    created_at timestamptz(0) NOT NULL,
    finished_at timestamptz(0),
    -- The amount is positive.
    CONSTRAINT payouts_amount CHECK ((amount > 0)),
    -- finished_at is set if and only if the payout is paid, returned, or canceled.
    CONSTRAINT payouts_finished CHECK (((finished_at IS NOT NULL) = (status IN ('paid', 'returned', 'canceled')))),
    -- account_id and batch_id are set if and only if the payout was put into a bank file.
    CONSTRAINT payouts_in_a_file CHECK ((((batch_id IS NOT NULL) = ((NOT by_hand) AND (status IN ('exported', 'paid', 'returned')))) AND ((account_id IS NOT NULL) = (batch_id IS NOT NULL)) AND ((status IN ('paid', 'returned')) OR (NOT by_hand)))),
    CONSTRAINT payouts_status CHECK ((status IN ('requested', 'exported', 'paid', 'returned', 'canceled')))
);
ALTER TABLE payouts ADD CONSTRAINT payouts_pkey PRIMARY KEY (id);
CREATE INDEX payouts_batch_id_idx ON payouts (batch_id);
-- A reference is unique among payouts that are neither canceled nor returned.
CREATE UNIQUE INDEX payouts_reference ON payouts (storefront_id, testmode, reference) WHERE (status <> ALL (ARRAY['canceled'::text, 'returned'::text]));
-- Payouts that wait for the next bank file.
CREATE INDEX payouts_requested ON payouts (id) WHERE (status = 'requested'::text);
CREATE INDEX payouts_storefront_id_testmode_id_idx ON payouts (storefront_id, testmode, id);

CREATE TABLE payout_batches (
    id text NOT NULL,
    testmode boolean NOT NULL,
    storefront_id text,
    currency text NOT NULL,
    count integer NOT NULL,
    total bigint NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamptz(0) NOT NULL,
    CONSTRAINT payout_batches_scope CHECK (((storefront_id IS NOT NULL) = testmode))
);
ALTER TABLE payout_batches ADD CONSTRAINT payout_batches_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX payout_batches_id_testmode_key ON payout_batches (id, testmode);

-- Foreign keys

ALTER TABLE operators ADD CONSTRAINT operators_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
ALTER TABLE member_invitations ADD CONSTRAINT member_invitations_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
ALTER TABLE former_owners ADD CONSTRAINT former_owners_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id);
ALTER TABLE password_resets ADD CONSTRAINT password_resets_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id);
ALTER TABLE operator_recovery_codes ADD CONSTRAINT operator_recovery_codes_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE operator_passkeys ADD CONSTRAINT operator_passkeys_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id);
ALTER TABLE operator_sessions ADD CONSTRAINT operator_sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE operator_devices ADD CONSTRAINT operator_devices_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id);
ALTER TABLE storefronts ADD CONSTRAINT storefronts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE brands ADD CONSTRAINT brands_storefront_id_fkey FOREIGN KEY (storefront_id) REFERENCES storefronts(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE brand_logos ADD CONSTRAINT brand_logos_storefront_id_fkey FOREIGN KEY (storefront_id) REFERENCES storefronts(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_storefront_id_fkey FOREIGN KEY (storefront_id) REFERENCES storefronts(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE clocks ADD CONSTRAINT clocks_storefront_id_fkey FOREIGN KEY (storefront_id) REFERENCES storefronts(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_endpoint_id_storefront_id_testmode_fkey FOREIGN KEY (endpoint_id, storefront_id, testmode) REFERENCES webhook_endpoints(id, storefront_id, testmode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE delivery_attempts ADD CONSTRAINT delivery_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE plan_uses ADD CONSTRAINT plan_uses_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES products(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE portal_sessions ADD CONSTRAINT portal_sessions_customer_id_storefront_id_testmode_fkey FOREIGN KEY (customer_id, storefront_id, testmode) REFERENCES customers(id, storefront_id, testmode);
ALTER TABLE email_changes ADD CONSTRAINT email_changes_customer_id_storefront_id_testmode_fkey FOREIGN KEY (customer_id, storefront_id, testmode) REFERENCES customers(id, storefront_id, testmode);
ALTER TABLE cancellation_feedback ADD CONSTRAINT cancellation_feedback_subscription_id_storefront_id_testmo_fkey FOREIGN KEY (subscription_id, storefront_id, testmode) REFERENCES subscriptions(id, storefront_id, testmode);
ALTER TABLE checkouts ADD CONSTRAINT checkouts_customer_id_storefront_id_testmode_fkey FOREIGN KEY (customer_id, storefront_id, testmode) REFERENCES customers(id, storefront_id, testmode);
ALTER TABLE checkout_lines ADD CONSTRAINT checkout_lines_checkout_id_fkey FOREIGN KEY (checkout_id) REFERENCES checkouts(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE orders ADD CONSTRAINT orders_checkout_id_storefront_id_testmode_fkey FOREIGN KEY (checkout_id, storefront_id, testmode) REFERENCES checkouts(id, storefront_id, testmode);
ALTER TABLE orders ADD CONSTRAINT orders_credited_order_id_storefront_id_testmode_fkey FOREIGN KEY (credited_order_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode);
ALTER TABLE orders ADD CONSTRAINT orders_customer_id_storefront_id_testmode_fkey FOREIGN KEY (customer_id, storefront_id, testmode) REFERENCES customers(id, storefront_id, testmode);
ALTER TABLE orders ADD CONSTRAINT orders_replaced_by_id_storefront_id_testmode_fkey FOREIGN KEY (replaced_by_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode);
ALTER TABLE orders ADD CONSTRAINT orders_replaces_order_id_storefront_id_testmode_fkey FOREIGN KEY (replaces_order_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode);
ALTER TABLE orders ADD CONSTRAINT orders_subscription_id_storefront_id_testmode_fkey FOREIGN KEY (subscription_id, storefront_id, testmode) REFERENCES subscriptions(id, storefront_id, testmode);
ALTER TABLE order_withdrawals ADD CONSTRAINT order_withdrawals_order_id_storefront_id_testmode_fkey FOREIGN KEY (order_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode);
ALTER TABLE order_lines ADD CONSTRAINT order_lines_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE payments ADD CONSTRAINT payments_billing_update_link_id_storefront_id_testmode_fkey FOREIGN KEY (billing_update_link_id, storefront_id, testmode) REFERENCES billing_update_links(id, storefront_id, testmode);
ALTER TABLE payments ADD CONSTRAINT payments_mandate_id_storefront_id_testmode_fkey FOREIGN KEY (mandate_id, storefront_id, testmode) REFERENCES mandates(id, storefront_id, testmode);
ALTER TABLE payments ADD CONSTRAINT payments_order_id_storefront_id_testmode_fkey FOREIGN KEY (order_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE mollie_payments ADD CONSTRAINT mollie_payments_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id);
ALTER TABLE stripe_payments ADD CONSTRAINT stripe_payments_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id);
ALTER TABLE provider_accounts ADD CONSTRAINT provider_accounts_storefront_id_fkey FOREIGN KEY (storefront_id) REFERENCES storefronts(id);
ALTER TABLE mandates ADD CONSTRAINT mandates_customer_id_storefront_id_testmode_fkey FOREIGN KEY (customer_id, storefront_id, testmode) REFERENCES customers(id, storefront_id, testmode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE subscriptions ADD CONSTRAINT subscriptions_customer_id_storefront_id_testmode_fkey FOREIGN KEY (customer_id, storefront_id, testmode) REFERENCES customers(id, storefront_id, testmode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE subscriptions ADD CONSTRAINT subscriptions_mandate_id_storefront_id_testmode_fkey FOREIGN KEY (mandate_id, storefront_id, testmode) REFERENCES mandates(id, storefront_id, testmode);
ALTER TABLE subscription_periods ADD CONSTRAINT subscription_periods_order_id_storefront_id_testmode_fkey FOREIGN KEY (order_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode);
ALTER TABLE subscription_periods ADD CONSTRAINT subscription_periods_subscription_id_storefront_id_testmod_fkey FOREIGN KEY (subscription_id, storefront_id, testmode) REFERENCES subscriptions(id, storefront_id, testmode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE billing_update_links ADD CONSTRAINT billing_update_links_subscription_id_storefront_id_testmod_fkey FOREIGN KEY (subscription_id, storefront_id, testmode) REFERENCES subscriptions(id, storefront_id, testmode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE refunds ADD CONSTRAINT refunds_credit_note_id_storefront_id_testmode_fkey FOREIGN KEY (credit_note_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode);
ALTER TABLE refunds ADD CONSTRAINT refunds_order_id_storefront_id_testmode_fkey FOREIGN KEY (order_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode);
ALTER TABLE chargebacks ADD CONSTRAINT chargebacks_credit_note_id_storefront_id_testmode_fkey FOREIGN KEY (credit_note_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode);
ALTER TABLE chargebacks ADD CONSTRAINT chargebacks_order_id_storefront_id_testmode_fkey FOREIGN KEY (order_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode);
ALTER TABLE reversal_lines ADD CONSTRAINT reversal_lines_chargeback_id_storefront_id_testmode_fkey FOREIGN KEY (chargeback_id, storefront_id, testmode) REFERENCES chargebacks(id, storefront_id, testmode);
ALTER TABLE reversal_lines ADD CONSTRAINT reversal_lines_order_id_storefront_id_testmode_fkey FOREIGN KEY (order_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE reversal_lines ADD CONSTRAINT reversal_lines_order_line_id_fkey FOREIGN KEY (order_line_id) REFERENCES order_lines(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE reversal_lines ADD CONSTRAINT reversal_lines_refund_id_storefront_id_testmode_fkey FOREIGN KEY (refund_id, storefront_id, testmode) REFERENCES refunds(id, storefront_id, testmode);
ALTER TABLE recoveries ADD CONSTRAINT recoveries_order_id_storefront_id_testmode_fkey FOREIGN KEY (order_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE recoveries ADD CONSTRAINT recoveries_subscription_id_storefront_id_testmode_fkey FOREIGN KEY (subscription_id, storefront_id, testmode) REFERENCES subscriptions(id, storefront_id, testmode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE charged_changes ADD CONSTRAINT charged_changes_order_id_storefront_id_testmode_fkey FOREIGN KEY (order_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE charged_changes ADD CONSTRAINT charged_changes_subscription_id_storefront_id_testmode_fkey FOREIGN KEY (subscription_id, storefront_id, testmode) REFERENCES subscriptions(id, storefront_id, testmode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE emails ADD CONSTRAINT emails_order_id_storefront_id_testmode_fkey FOREIGN KEY (order_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode);
ALTER TABLE emails ADD CONSTRAINT emails_original_id_fkey FOREIGN KEY (original_id) REFERENCES emails(id);
ALTER TABLE emails ADD CONSTRAINT emails_subscription_id_storefront_id_testmode_fkey FOREIGN KEY (subscription_id, storefront_id, testmode) REFERENCES subscriptions(id, storefront_id, testmode);
ALTER TABLE disabled_email_kinds ADD CONSTRAINT disabled_email_kinds_storefront_id_fkey FOREIGN KEY (storefront_id) REFERENCES storefronts(id);
ALTER TABLE fast_forwards ADD CONSTRAINT fast_forwards_subscription_id_storefront_id_testmode_fkey FOREIGN KEY (subscription_id, storefront_id, testmode) REFERENCES subscriptions(id, storefront_id, testmode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE simulations ADD CONSTRAINT simulations_order_id_storefront_id_testmode_fkey FOREIGN KEY (order_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE sale_evidence ADD CONSTRAINT sale_evidence_order_id_storefront_id_testmode_fkey FOREIGN KEY (order_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE invoice_versions ADD CONSTRAINT invoice_versions_order_id_storefront_id_testmode_fkey FOREIGN KEY (order_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE invoice_update_links ADD CONSTRAINT invoice_update_links_order_id_storefront_id_testmode_fkey FOREIGN KEY (order_id, storefront_id, testmode) REFERENCES orders(id, storefront_id, testmode) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE payout_accounts ADD CONSTRAINT payout_accounts_storefront_id_fkey FOREIGN KEY (storefront_id) REFERENCES storefronts(id);
ALTER TABLE payouts ADD CONSTRAINT payouts_account_id_storefront_id_testmode_fkey FOREIGN KEY (account_id, storefront_id, testmode) REFERENCES payout_accounts(id, storefront_id, testmode);
ALTER TABLE payouts ADD CONSTRAINT payouts_batch_id_testmode_fkey FOREIGN KEY (batch_id, testmode) REFERENCES payout_batches(id, testmode);
ALTER TABLE payouts ADD CONSTRAINT payouts_storefront_id_fkey FOREIGN KEY (storefront_id) REFERENCES storefronts(id);

-- Functions and triggers

-- Locks a clock, shared or exclusively, and reads it. It fails while the storefront is on hold.
CREATE FUNCTION hold_clock(of_storefront text, alone boolean) RETURNS TABLE(now timestamptz, moving boolean, touched timestamptz) LANGUAGE plpgsql AS $$
BEGIN
    IF alone THEN
        PERFORM pg_advisory_xact_lock(20261122, hashtext(of_storefront));
    ELSE
        PERFORM pg_advisory_xact_lock_shared(20261122, hashtext(of_storefront));
    END IF;
    PERFORM refuse_while_held(of_storefront);
    RETURN QUERY SELECT coalesce(c.frozen_at, date_trunc('second', clock_timestamp()) + c.ahead_seconds * interval '1 second')::timestamptz,
        c.frozen_at IS NOT NULL, c.touched_at::timestamptz FROM clocks c WHERE c.storefront_id = of_storefront;
END $$;

-- Prevents a hold of the storefront until the transaction of live mode ends.
CREATE FUNCTION hold_storefront(of_storefront text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(20261124, hashtext(of_storefront));
    PERFORM refuse_while_held(of_storefront);
END $$;

-- Raises an error if the entries of a ledger transaction do not sum to zero per currency.
CREATE FUNCTION ledger_balances() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    uneven text;
BEGIN
    SELECT transaction_id INTO uneven FROM written GROUP BY transaction_id, currency HAVING SUM(amount) <> 0 LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger transaction % does not sum to zero', uneven;
    END IF;
    RETURN NULL;
END $$;

-- Raises an error that names the refused operation.
CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'ledger entries are append-only: % is refused', TG_OP;
END $$;

-- Moves a clock forward for the runner of its advance.
CREATE FUNCTION move_clock(of_storefront text, by_runner text, moment timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(20261122, hashtext(of_storefront));
    UPDATE clocks SET frozen_at = greatest(frozen_at, date_trunc('second', moment))
        WHERE storefront_id = of_storefront AND runner_id = by_runner AND advancing_to IS NOT NULL;
    RETURN FOUND;
END $$;

-- Adds the plan of a new or changed subscription to plan_uses.
CREATE FUNCTION note_plan_use() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO plan_uses (plan_id)
  SELECT NEW.subscription_plan_id
  WHERE NOT EXISTS (SELECT 1 FROM plan_uses WHERE plan_id = NEW.subscription_plan_id)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

-- Raises an error. The trigger of an append-only table calls it.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is only appended to', TG_TABLE_NAME;
END $$;

-- Fails like an unavailable lock while a storefront is on hold.
CREATE FUNCTION refuse_while_held(of_storefront text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM storefronts s WHERE s.id = of_storefront AND s.held_at IS NOT NULL) THEN
        RAISE EXCEPTION 'the storefront is on hold' USING ERRCODE = '55P03';
    END IF;
END $$;

-- Fails if a change has the wrong number of rows.
CREATE FUNCTION require_rows(changed bigint, wanted integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF changed <> wanted THEN
        RAISE EXCEPTION 'a change of % rows was one of %', wanted, changed USING ERRCODE = 'BH001';
    END IF;
END $$;



SET default_table_access_method = heap;

-- Refuses UPDATE and DELETE.
CREATE TRIGGER audit_entries_are_final BEFORE DELETE OR UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
-- A subscription with a new plan adds the plan to plan_uses.
CREATE TRIGGER notes_plan_use_changed AFTER UPDATE ON subscriptions FOR EACH ROW WHEN ((new.subscription_plan_id IS DISTINCT FROM old.subscription_plan_id)) EXECUTE FUNCTION note_plan_use();
-- A new subscription adds its plan to plan_uses.
CREATE TRIGGER notes_plan_use_first AFTER INSERT ON subscriptions FOR EACH ROW EXECUTE FUNCTION note_plan_use();
-- The entries that a statement inserts sum to zero per transaction_id and currency.
CREATE TRIGGER ledger_balances AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION ledger_balances();
-- Refuses UPDATE, DELETE and TRUNCATE.
CREATE TRIGGER ledger_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
