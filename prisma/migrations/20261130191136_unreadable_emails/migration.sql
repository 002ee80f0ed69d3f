-- Locks: emails (ACCESS EXCLUSIVE)

-- An email that was not sent, because the key that encrypted it is not configured: unreadable.
ALTER TABLE emails DROP CONSTRAINT emails_status;
-- NOT VALID: PostgreSQL does not read the rows while the lock blocks all sessions. All rows satisfy the constraint, because the former constraint allowed fewer
-- values. A later migration validates the constraint under a weaker lock.
ALTER TABLE emails ADD CONSTRAINT emails_status
  CHECK (status IN ('kept', 'queued', 'sent', 'refused', 'suppressed', 'unsupported', 'unreadable')) NOT VALID;
