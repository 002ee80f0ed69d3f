-- CreateTable
CREATE TABLE "stripe_payments" (
    "payment_id" TEXT NOT NULL,
    "customer_ref" TEXT,
    "ref" TEXT,
    "intent_ref" TEXT,
    "asked_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "stripe_payments_pkey" PRIMARY KEY ("payment_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "stripe_payments_ref_key" ON "stripe_payments"("ref");

-- CreateIndex
CREATE UNIQUE INDEX "stripe_payments_intent_ref_key" ON "stripe_payments"("intent_ref");

-- AddForeignKey
ALTER TABLE "stripe_payments" ADD CONSTRAINT "stripe_payments_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

