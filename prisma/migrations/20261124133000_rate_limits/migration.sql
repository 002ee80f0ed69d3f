-- What all processes have counted for their rate limits. It is written often and worth nothing after a minute, so it is
-- kept out of the write-ahead log.
CREATE UNLOGGED TABLE "rate_limits" (
    "key" TEXT NOT NULL,
    "arrival" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);
