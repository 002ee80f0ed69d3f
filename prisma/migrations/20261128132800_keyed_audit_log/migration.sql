-- The end of the audit log, with a keyed hash: a log whose newest entries were cut off does not end where this says.
CREATE TABLE "audit_heads" (
  "id" INTEGER NOT NULL DEFAULT 1,
  "seq" BIGINT NOT NULL,
  "readable_from" BIGINT NOT NULL,
  "mac" BYTEA NOT NULL,
  CONSTRAINT "audit_heads_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "audit_heads_one" CHECK (id = 1)
);
