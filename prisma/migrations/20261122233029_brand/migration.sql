-- The brand of a storefront: what its hosted pages and emails show of it, and its logo, in a table of its own so that
-- reading a brand reads no picture.
-- CreateTable
CREATE TABLE "brands" (
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "display_name" TEXT,
    "accent" TEXT,
    "support_email" TEXT,
    "support_url" TEXT,
    "terms_url" TEXT,
    "privacy_url" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "brands_pkey" PRIMARY KEY ("storefront_id")
);

-- CreateTable
CREATE TABLE "brand_logos" (
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT NOT NULL,
    "extension" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "plate_in_light" BOOLEAN NOT NULL,
    "plate_in_dark" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "replaced_at" TIMESTAMPTZ(3),

    CONSTRAINT "brand_logos_pkey" PRIMARY KEY ("storefront_id","hash")
);

-- CreateIndex
CREATE INDEX "brand_logos_hash_idx" ON "brand_logos"("hash");

-- AddForeignKey
ALTER TABLE "brands" ADD CONSTRAINT "brands_storefront_id_fkey" FOREIGN KEY ("storefront_id") REFERENCES "storefronts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "brand_logos" ADD CONSTRAINT "brand_logos_storefront_id_fkey" FOREIGN KEY ("storefront_id") REFERENCES "storefronts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "brands"
  ADD CONSTRAINT "brands_display_name" CHECK (char_length("display_name") BETWEEN 1 AND 255),
  ADD CONSTRAINT "brands_accent" CHECK ("accent" ~ '^#[0-9a-f]{6}$'),
  ADD CONSTRAINT "brands_support_email" CHECK (char_length("support_email") BETWEEN 3 AND 254),
  ADD CONSTRAINT "brands_urls" CHECK (
    ("support_url" IS NULL OR ("support_url" LIKE 'https://%' AND char_length("support_url") <= 2048)) AND
    ("terms_url" IS NULL OR ("terms_url" LIKE 'https://%' AND char_length("terms_url") <= 2048)) AND
    ("privacy_url" IS NULL OR ("privacy_url" LIKE 'https://%' AND char_length("privacy_url") <= 2048))
  );

-- The address of a logo names its content, and caches keep it for ever: so the database, too, holds the two together.
ALTER TABLE "brand_logos"
  ADD CONSTRAINT "brand_logos_extension" CHECK ("extension" IN ('png', 'jpg')),
  ADD CONSTRAINT "brand_logos_hash" CHECK ("hash" = encode(sha256("bytes"), 'hex')),
  ADD CONSTRAINT "brand_logos_size" CHECK (
    octet_length("bytes") BETWEEN 1 AND 2097152 AND "width" BETWEEN 1 AND 640 AND "height" BETWEEN 1 AND 320
  );

-- Emails that were sent show the logo of then: replaced ones stay, and one is shown.
CREATE UNIQUE INDEX "brand_logos_shown_key" ON "brand_logos"("storefront_id") WHERE "replaced_at" IS NULL;
