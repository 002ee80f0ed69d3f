-- AlterTable
ALTER TABLE "emails" ADD COLUMN     "bounced_at" TIMESTAMPTZ(3),
ADD COLUMN     "bounced_for_good" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "complained_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "email_suppressions" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "address_hash" BYTEA NOT NULL,
    "cause" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "noticed_at" TIMESTAMPTZ(3) NOT NULL,
    "lifted_at" TIMESTAMPTZ(3),

    CONSTRAINT "email_suppressions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "email_suppressions_storefront_id_testmode_address_hash_caus_key" ON "email_suppressions"("storefront_id", "testmode", "address_hash", "cause");


ALTER TABLE "email_suppressions" ADD CONSTRAINT "email_suppressions_cause" CHECK ("cause" IN ('bounce', 'complaint'));

ALTER TABLE "emails" DROP CONSTRAINT "emails_status",
  ADD CONSTRAINT "emails_status" CHECK ("status" IN ('kept', 'queued', 'sent', 'refused', 'suppressed')),
  ADD CONSTRAINT "emails_bounced" CHECK ("bounced_at" IS NOT NULL OR NOT "bounced_for_good");
