-- A canceled subscription that is resumed is again what it was: active, in its trial, or paused. Its events say whether it was paused.
ALTER TABLE "subscriptions" ADD COLUMN "resumes_to" TEXT COLLATE "C";
UPDATE "subscriptions" s
    SET "resumes_to" = CASE WHEN s."trial_until" IS NOT NULL THEN 'trial' WHEN was."status" = 'paused' THEN 'paused' ELSE 'active' END
    FROM "subscriptions" each LEFT JOIN (
        SELECT DISTINCT ON (e."entity_id") e."entity_id", e."body"::jsonb -> 'object' ->> 'status' AS "status"
        FROM "events" e JOIN "subscriptions" canceled ON canceled."id" = e."entity_id" AND canceled."status" = 'on_grace_period'
        WHERE e."entity_type" = 'subscription' AND e."body"::jsonb -> 'object' ->> 'status' <> 'on_grace_period'
        ORDER BY e."entity_id", e."id" DESC) was ON was."entity_id" = each."id"
    WHERE each."id" = s."id" AND s."status" = 'on_grace_period';
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_resumes_to" CHECK (
    ("resumes_to" IS NOT NULL) = ("status" = 'on_grace_period')
    AND ("resumes_to" IS NULL OR ("resumes_to" IN ('trial', 'active', 'paused') AND ("resumes_to" = 'trial') = ("trial_until" IS NOT NULL))));
