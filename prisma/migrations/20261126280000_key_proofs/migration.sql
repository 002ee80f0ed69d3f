-- A value that was sealed with the secret key of this database: a process that cannot open it was started with another one.
CREATE TABLE "key_proofs" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "key_proofs_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "key_proofs_one" CHECK ("id" = 1)
);
