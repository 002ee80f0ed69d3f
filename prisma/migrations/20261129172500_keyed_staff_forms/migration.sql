-- The keys of these rows end with an unkeyed hash of typed values, such as an email address. New rows have a keyed hash. The rows only
-- stop a second click within minutes, and every operation is safe to repeat.
DELETE FROM staff_form_keys WHERE key LIKE '% % %';
