-- Locks: api_keys (ACCESS EXCLUSIVE)
-- A key has a scope. Keys that were issued before have all rights, and no later key has a scope that nobody chose.
ALTER TABLE "api_keys" ADD COLUMN "scope" TEXT NOT NULL DEFAULT 'full';
ALTER TABLE "api_keys" ALTER COLUMN "scope" DROP DEFAULT;
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_scope" CHECK (scope IN ('full', 'no_refunds', 'read_only'));
