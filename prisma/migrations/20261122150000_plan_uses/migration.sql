-- Plans that a subscription was ever on, or was to change to: their interval stays (contract, plans, rule 5).
-- CreateTable
CREATE TABLE "plan_uses" (
    "plan_id" TEXT NOT NULL,

    CONSTRAINT "plan_uses_pkey" PRIMARY KEY ("plan_id")
);

-- AddForeignKey
ALTER TABLE "plan_uses" ADD CONSTRAINT "plan_uses_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "products"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Whatever writes a subscription says it, in its own transaction; a renewal that changes no plan says nothing.
CREATE FUNCTION "note_plan_use"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "plan_uses" ("plan_id")
  SELECT DISTINCT id FROM unnest(ARRAY[NEW."subscription_plan_id", NEW."scheduled_update"->'plan'->>'planId']) AS id
  WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "plan_uses" WHERE "plan_id" = id)
  ORDER BY id
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER "notes_plan_use_first" AFTER INSERT ON "subscriptions"
    FOR EACH ROW EXECUTE FUNCTION "note_plan_use"();
CREATE TRIGGER "notes_plan_use_changed" AFTER UPDATE ON "subscriptions"
    FOR EACH ROW WHEN (NEW."subscription_plan_id" IS DISTINCT FROM OLD."subscription_plan_id"
      OR NEW."scheduled_update" IS DISTINCT FROM OLD."scheduled_update")
    EXECUTE FUNCTION "note_plan_use"();

-- What is known of before: who is on a plan, is to change to it, or was sold it.
INSERT INTO "plan_uses" ("plan_id")
SELECT DISTINCT used.id FROM (
  SELECT "subscription_plan_id" AS id FROM "subscriptions"
  UNION SELECT "scheduled_update"->'plan'->>'planId' FROM "subscriptions" WHERE "scheduled_update" IS NOT NULL
  UNION SELECT "product_id" FROM "order_lines" WHERE "product_type" = 'subscription_plan'
) used JOIN "products" ON "products"."id" = used.id;
