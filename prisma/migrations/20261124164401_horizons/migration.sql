-- Up to where old rows were removed: the invariants do not ask for what was made before.
CREATE TABLE "horizons" (
    "kind" TEXT COLLATE "C" NOT NULL,
    "before" TIMESTAMPTZ(0) NOT NULL,
    "before_id" TEXT COLLATE "C" NOT NULL,
    "walked_to" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "horizons_pkey" PRIMARY KEY ("kind"),
    CONSTRAINT "horizons_kind" CHECK ("kind" IN ('deliveries', 'events', 'emails'))
);
