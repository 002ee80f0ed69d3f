-- CreateTable
CREATE TABLE "reconciliations" (
    "provider" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "claimed_at" TIMESTAMPTZ(0) NOT NULL,
    "finished_at" TIMESTAMPTZ(0),
    "payments" INTEGER,
    "refunds" INTEGER,
    "differences" JSONB,

    CONSTRAINT "reconciliations_pkey" PRIMARY KEY ("provider","day")
);

