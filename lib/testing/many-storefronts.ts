type Run = <Row>(query: { text: string; values?: unknown[] }) => Promise<Row[]>

/** Makes PostgreSQL plan as if each storefront had two rows in each table, until the database of the test is dropped. */
export async function asIfManyStorefronts(run: Run): Promise<void> {
  const tables = await run<{ name: string }>({
    text: `SELECT relname AS name FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attname = 'storefront_id'`,
  })
  for (const { name } of tables)
    await run({ text: `ALTER TABLE ${name} ALTER COLUMN storefront_id SET (n_distinct = -0.5)` })
  await run({ text: 'ANALYZE' })
}
