-- What is wrong with the services that the installation depends on, as its processes saw it. It is worth nothing after some
-- minutes, so it is kept out of the write-ahead log.
CREATE UNLOGGED TABLE "service_problems" (
    "service" TEXT NOT NULL,
    "problem" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_problems_pkey" PRIMARY KEY ("service")
);
