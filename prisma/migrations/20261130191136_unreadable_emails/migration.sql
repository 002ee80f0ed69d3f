-- Locks: emails (ACCESS EXCLUSIVE)

-- An email that was not sent, because the key that encrypted it is not configured: unreadable.
ALTER TABLE emails DROP CONSTRAINT emails_status;
ALTER TABLE emails ADD CONSTRAINT emails_status
  CHECK (status IN ('kept', 'queued', 'sent', 'refused', 'suppressed', 'unsupported', 'unreadable'));
