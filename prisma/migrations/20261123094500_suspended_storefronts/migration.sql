-- A storefront that sells nothing new for now. When it may again, what waited is charged from then on: see
-- docs/decisions/0017-suspended-storefronts.md.
ALTER TABLE "storefronts" ADD COLUMN "resumed_at" TIMESTAMPTZ(3),
ADD COLUMN "resumed_test_at" TIMESTAMPTZ(3),
ADD COLUMN "suspended_at" TIMESTAMPTZ(3),
ADD COLUMN "suspended_reason" TEXT;

ALTER TABLE "storefronts" ADD CONSTRAINT "storefronts_suspended" CHECK (("suspended_at" IS NULL) = ("suspended_reason" IS NULL));
