import { lastingConnection } from './lasting-connection.ts'

// Triggers are off because they refuse to delete ledger entries. Foreign keys are not checked while rows are replaced.
const runQuery = lastingConnection('-c session_replication_role=replica')
let taken = 0

/**
 * Copies every row. Returns a function that restores that state any number of times, much faster than the operations
 * that led there. The storefronts' clocks show their old time again, and the real times of tasks move with the clocks.
 * Only the database is restored, so nothing else may run.
 */
export async function takeSnapshot(): Promise<() => Promise<void>> {
  const schema = `snapshot_${++taken}`
  const tables = await runQuery<{ name: string }>({
    text: `SELECT quote_ident(tablename) AS name FROM pg_tables
      WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
  })
  const copies = tables.map(({ name }) => `CREATE TABLE ${schema}.${name} AS TABLE public.${name};`)
  const puts = tables.map(
    ({ name }) => `DELETE FROM public.${name}; INSERT INTO public.${name} SELECT * FROM ${schema}.${name};`,
  )
  await runQuery({
    text: `
      CREATE SCHEMA ${schema};
      CREATE TABLE ${schema}.taken AS SELECT date_trunc('second', clock_timestamp()) AS at;
      ${copies.join('\n')}
      CREATE FUNCTION ${schema}.restore() RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        passed bigint := extract(epoch FROM date_trunc('second', clock_timestamp()) - (SELECT at FROM ${schema}.taken));
      BEGIN
        ${puts.join('\n')}
        UPDATE clocks SET ahead_seconds = ahead_seconds - passed;
        UPDATE tasks SET run_at = run_at + passed * interval '1 second';
      END $$`,
  })
  return async () => {
    await runQuery({ text: `SELECT ${schema}.restore()` })
  }
}
