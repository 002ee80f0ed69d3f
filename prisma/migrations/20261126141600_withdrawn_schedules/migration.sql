-- Locks: subscriptions (SHARE ROW EXCLUSIVE)
-- A subscription uses a plan once it is on it. A change that is only scheduled counts while it is, and is looked for where it is: once
-- withdrawn, it was no use. What was noted of scheduled changes before stays: nothing says which of them were withdrawn.
CREATE OR REPLACE FUNCTION "note_plan_use"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "plan_uses" ("plan_id")
  SELECT NEW."subscription_plan_id"
  WHERE NOT EXISTS (SELECT 1 FROM "plan_uses" WHERE "plan_id" = NEW."subscription_plan_id")
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "notes_plan_use_changed" AFTER UPDATE ON "subscriptions"
    FOR EACH ROW WHEN (NEW."subscription_plan_id" IS DISTINCT FROM OLD."subscription_plan_id")
    EXECUTE FUNCTION "note_plan_use"();
CREATE INDEX "subscriptions_scheduled_plan" ON "subscriptions" (("scheduled_update"->'plan'->>'planId'))
    WHERE "scheduled_update" IS NOT NULL;
