-- Locks: order_lines (ACCESS EXCLUSIVE), subscriptions (ACCESS EXCLUSIVE)

-- AlterTable
ALTER TABLE "order_lines" ADD COLUMN "metadata" TEXT;

-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN "metadata" TEXT;
