-- The tasks whose last run failed, for operators.
CREATE INDEX "tasks_failing" ON "tasks" ("run_at") WHERE "last_error" IS NOT NULL;
