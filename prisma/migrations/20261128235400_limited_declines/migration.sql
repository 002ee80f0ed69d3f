-- Locks: sandbox_declines (ACCESS EXCLUSIVE)

-- A test mandate can decline a limited number of charges.
ALTER TABLE "sandbox_declines" ADD COLUMN "times_left" INTEGER,
ADD CONSTRAINT "sandbox_declines_times_left" CHECK ("times_left" > 0);
