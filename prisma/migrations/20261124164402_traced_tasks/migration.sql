-- Locks: tasks (ACCESS EXCLUSIVE)
ALTER TABLE "tasks" ADD COLUMN     "trace" TEXT COLLATE "C";
