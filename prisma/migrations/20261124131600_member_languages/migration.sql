-- AlterTable
ALTER TABLE "operators" ADD COLUMN     "locale" TEXT NOT NULL DEFAULT 'en';

-- AlterTable
ALTER TABLE "member_invitations" ADD COLUMN     "locale" TEXT NOT NULL DEFAULT 'en';

ALTER TABLE "operators" ADD CONSTRAINT "operators_locale" CHECK ("locale" IN ('en', 'de', 'fr', 'nl', 'es', 'it', 'pt', 'pl'));
ALTER TABLE "member_invitations" ADD CONSTRAINT "member_invitations_locale" CHECK ("locale" IN ('en', 'de', 'fr', 'nl', 'es', 'it', 'pt', 'pl'));
