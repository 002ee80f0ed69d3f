-- CreateTable
CREATE TABLE "operator_passkeys" (
    "id" TEXT NOT NULL,
    "operator_id" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "operator_passkeys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "used_passkey_challenges" (
    "hash" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_passkey_challenges_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "operator_passkeys_credential_id_key" ON "operator_passkeys"("credential_id");

-- CreateIndex
CREATE INDEX "operator_passkeys_operator_id_id_idx" ON "operator_passkeys"("operator_id", "id");

-- AddForeignKey
ALTER TABLE "operator_passkeys" ADD CONSTRAINT "operator_passkeys_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

