import { lastingConnection } from './lasting-connection.ts'

// Without triggers, which refuse to delete entries of the ledger, and without checks of references, which hold again at
// the end.
const runQuery = lastingConnection('-c session_replication_role=replica')
let taken = 0

/**
 * Copies every row of every table, and returns a function that puts the database back into that state, as often as it
 * is called: in a fraction of the time of the operations that led there.
 *
 * The storefronts' clocks show the time that they showed then, and the real moments of tasks move with it. Only the
 * database is put back, so nothing may be running.
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
