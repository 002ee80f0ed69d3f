-- AlterTable
ALTER TABLE "operators" ADD COLUMN     "merchant_id" TEXT,
ADD COLUMN     "role" TEXT;

-- CreateIndex
CREATE INDEX "operators_merchant_id_idx" ON "operators"("merchant_id");

-- AddForeignKey
ALTER TABLE "operators" ADD CONSTRAINT "operators_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;


-- A member of a merchant has a role there; the service's own staff have neither.
ALTER TABLE "operators" ADD CONSTRAINT "operators_role" CHECK (
  ("merchant_id" IS NULL AND "role" IS NULL)
  OR ("merchant_id" IS NOT NULL AND "role" IN ('owner', 'developer', 'support', 'accountant') AND "role" IS NOT NULL)
);

ALTER TABLE "audit_entries" DROP CONSTRAINT "audit_entries_actor_kind";
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_actor_kind" CHECK ("actor_kind" IN ('operator', 'member', 'cli'));
