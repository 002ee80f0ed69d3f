-- CreateTable
CREATE TABLE "provider_accounts" (
    "id" TEXT NOT NULL,
    "storefront_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(0) NOT NULL,
    "ended_at" TIMESTAMPTZ(0),

    CONSTRAINT "provider_accounts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "provider_accounts_storefront_id_id_idx" ON "provider_accounts"("storefront_id", "id");

-- AddForeignKey
ALTER TABLE "provider_accounts" ADD CONSTRAINT "provider_accounts_storefront_id_fkey" FOREIGN KEY ("storefront_id") REFERENCES "storefronts"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;


ALTER TABLE "provider_accounts"
  ADD CONSTRAINT "provider_accounts_provider" CHECK ("provider" IN ('mollie', 'stripe'));
CREATE UNIQUE INDEX "provider_accounts_current" ON "provider_accounts" ("storefront_id") WHERE "ended_at" IS NULL;
