-- The rows of before keep the rules that the migrations before this one made: while they are read, everything else goes on.
ALTER TABLE "payments"
    VALIDATE CONSTRAINT "payments_failure_reason",
    VALIDATE CONSTRAINT "payments_finished";
ALTER TABLE "orders"
    VALIDATE CONSTRAINT "orders_number_in_series";
ALTER TABLE "tasks"
    VALIDATE CONSTRAINT "tasks_clock",
    VALIDATE CONSTRAINT "tasks_queue";
ALTER TABLE "recoveries"
    VALIDATE CONSTRAINT "recoveries_failure_reason",
    VALIDATE CONSTRAINT "recoveries_next_step";
ALTER TABLE "fast_forwards"
    VALIDATE CONSTRAINT "fast_forwards_failure_reason";
ALTER TABLE "simulations"
    VALIDATE CONSTRAINT "simulations_failure_reason";
ALTER TABLE "tax_id_checks"
    VALIDATE CONSTRAINT "tax_id_checks_source";
