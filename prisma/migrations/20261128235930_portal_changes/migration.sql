-- Locks: storefronts (ACCESS EXCLUSIVE)
-- AlterTable
ALTER TABLE "storefronts" ADD COLUMN     "portal_plan_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "portal_quantity" BOOLEAN NOT NULL DEFAULT false;
