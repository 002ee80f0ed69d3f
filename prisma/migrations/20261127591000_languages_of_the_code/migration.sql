-- Locks: operators (ACCESS EXCLUSIVE), member_invitations (ACCESS EXCLUSIVE), customers (ACCESS EXCLUSIVE)
-- The languages are those of lib/kernel/locale.ts: one more is texts, and no change of the schema.
ALTER TABLE "operators" DROP CONSTRAINT "operators_locale";
ALTER TABLE "member_invitations" DROP CONSTRAINT "member_invitations_locale";
ALTER TABLE "customers" DROP CONSTRAINT "customers_locale";
