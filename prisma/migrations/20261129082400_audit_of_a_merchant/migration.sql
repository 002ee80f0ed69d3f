-- Locks: audit_entries (SHARE)

-- The actions of a merchant's members, for the audit log of its owners.
CREATE INDEX audit_entries_actor_id_seq_idx ON audit_entries (actor_id, seq);
