-- What a consumer may withdraw from, and whether they asked to begin before that right ends. Earlier orders were not asked.
ALTER TABLE "orders" ADD COLUMN "begins_at_once" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "withdrawal" TEXT,
ADD CONSTRAINT "orders_withdrawal" CHECK ("withdrawal" IN ('digital_content', 'service', 'mixed'));
