import { lastingConnection } from './lasting-connection.ts'

// Turns triggers off, because a trigger refuses to delete ledger entries. PostgreSQL then checks no foreign keys
// either, because it checks foreign keys with triggers.
const runQuery = lastingConnection('-c session_replication_role=replica')
let taken = 0

/**
 * Copies every row, including clocks and tasks. Returns a function that restores this state any number of times, much
 * faster than creating the state again. No other work may run during a restore.
 */
export async function takeSnapshot(): Promise<() => Promise<void>> {
  const n = ++taken
  const tables = await runQuery<{ name: string }>({
    text: `SELECT tablename AS name FROM pg_tables
      WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
  })
  const copyOf = (name: string) => `snapshots."${n} ${name}"`
  const filled = await runQuery<{ name: string }>({
    text: tables.map(({ name }) => `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM "${name}")`).join(' UNION ALL '),
  })
  const copies = filled.map(({ name }) => `CREATE TABLE ${copyOf(name)} AS TABLE public."${name}";`)
  const deletions = tables.map(({ name }) => `DELETE FROM public."${name}";`)
  const insertions = filled.map(({ name }) => `INSERT INTO public."${name}" SELECT * FROM ${copyOf(name)};`)
  // A new schema makes PostgreSQL plan every statement again, so all snapshots share one schema.
  await runQuery({
    text: `
      CREATE SCHEMA IF NOT EXISTS snapshots;
      CREATE TABLE ${copyOf('taken')} AS SELECT date_trunc('second', clock_timestamp()) AS at;
      ${copies.join('\n')}
      CREATE FUNCTION snapshots.restore_${n}() RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        passed bigint := extract(epoch FROM date_trunc('second', clock_timestamp()) - (SELECT at FROM ${copyOf('taken')}));
      BEGIN
        ${[...deletions, ...insertions].join('\n        ')}
        UPDATE clocks SET ahead_seconds = ahead_seconds - passed;
        UPDATE tasks SET run_at = run_at + passed * interval '1 second';
      END $$`,
  })
  return async () => {
    await runQuery({ text: `SELECT snapshots.restore_${n}()` })
  }
}
