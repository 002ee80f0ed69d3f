-- Locks: operators (ACCESS EXCLUSIVE), operator_sessions (ACCESS EXCLUSIVE)
ALTER TABLE "operators" DROP COLUMN "failed_logins", DROP COLUMN "locked_until";

ALTER TABLE "operator_sessions" ADD COLUMN "totp_secret" BYTEA;

-- CreateTable
CREATE TABLE "operator_devices" (
    "hash" BYTEA NOT NULL,
    "operator_id" TEXT COLLATE "C" NOT NULL,
    "is_verified" BOOLEAN NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "operator_devices_pkey" PRIMARY KEY ("hash","operator_id")
);

-- CreateTable
CREATE TABLE "sign_in_failures" (
    "subject" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "locked_until" TIMESTAMPTZ(3),

    CONSTRAINT "sign_in_failures_pkey" PRIMARY KEY ("subject","source")
);

-- CreateIndex
CREATE INDEX "operator_devices_operator_id_used_at_idx" ON "operator_devices"("operator_id", "used_at");

-- CreateIndex
CREATE INDEX "sign_in_failures_since_idx" ON "sign_in_failures"("since");

-- AddForeignKey
ALTER TABLE "operator_devices" ADD CONSTRAINT "operator_devices_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;
