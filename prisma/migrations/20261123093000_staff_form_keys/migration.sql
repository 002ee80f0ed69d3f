-- CreateTable
CREATE TABLE "staff_form_keys" (
    "key" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staff_form_keys_pkey" PRIMARY KEY ("key")
);
