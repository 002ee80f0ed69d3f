-- CreateTable
CREATE TABLE "tax_registrations" (
    "id" TEXT COLLATE "C" NOT NULL,
    "country" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "number" TEXT NOT NULL,
    "scheme" TEXT NOT NULL,
    "first_day" DATE NOT NULL,
    "last_day" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tax_registrations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tax_id_checks" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "checkout_id" TEXT COLLATE "C",
    "tax_id" TEXT NOT NULL,
    "result" TEXT NOT NULL,
    "name" TEXT,
    "address" TEXT,
    "consultation_number" TEXT,
    "error" TEXT,
    "source" TEXT NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tax_id_checks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sale_evidence" (
    "order_id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "declared_country" TEXT NOT NULL,
    "postal_code" TEXT,
    "ip_country" TEXT,
    "payment_country" TEXT,
    "tax_id" TEXT,
    "tax_id_check_id" TEXT COLLATE "C",
    "tax_reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "sale_evidence_pkey" PRIMARY KEY ("order_id")
);

-- CreateIndex
CREATE INDEX "tax_registrations_country_idx" ON "tax_registrations"("country");

-- CreateIndex
CREATE INDEX "tax_id_checks_storefront_id_testmode_tax_id_checked_at_idx" ON "tax_id_checks"("storefront_id", "testmode", "tax_id", "checked_at");

-- AddForeignKey
ALTER TABLE "sale_evidence" ADD CONSTRAINT "sale_evidence_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE RESTRICT ON UPDATE CASCADE;


ALTER TABLE "tax_registrations" ADD CONSTRAINT "tax_registrations_scheme" CHECK ("scheme" IN ('local', 'oss', 'ioss'));
ALTER TABLE "tax_registrations" ADD CONSTRAINT "tax_registrations_days" CHECK ("last_day" >= "first_day");
ALTER TABLE "tax_id_checks" ADD CONSTRAINT "tax_id_checks_result" CHECK ("result" IN ('valid', 'invalid', 'unknown'));
ALTER TABLE "sale_evidence" ADD CONSTRAINT "sale_evidence_tax_reason" CHECK ("tax_reason" IN ('standard', 'reverse_charge', 'outside_scope'));
