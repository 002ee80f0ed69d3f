-- The last change of a transaction is sent together with its COMMIT. If it changes another number of rows than it must, this fails it,
-- and with it the transaction.
CREATE FUNCTION require_rows("changed" bigint, "wanted" int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF "changed" <> "wanted" THEN
        RAISE EXCEPTION 'a change of % rows was one of %', "wanted", "changed" USING ERRCODE = 'BH001';
    END IF;
END $$;
