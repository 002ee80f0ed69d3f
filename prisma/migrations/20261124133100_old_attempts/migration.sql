-- Locks: delivery_attempts (SHARE)
-- CreateIndex
CREATE INDEX "delivery_attempts_started_at_idx" ON "delivery_attempts"("started_at");

