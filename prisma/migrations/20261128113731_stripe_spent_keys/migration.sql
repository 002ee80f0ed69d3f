-- Locks: stripe_payments (ACCESS EXCLUSIVE)

-- AlterTable
ALTER TABLE "stripe_payments" ADD COLUMN     "spent_keys" JSONB NOT NULL DEFAULT '{}';

