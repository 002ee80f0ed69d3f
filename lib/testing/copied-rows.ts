import { expect } from 'vitest'
import { asIfManyStorefronts } from './many-storefronts.ts'
import { type RecordedQuery, scansOf } from './recorded-queries.ts'

type Run = <Row>(query: { text: string; values?: unknown[] }) => Promise<Row[]>

/** SQL expressions for the columns that must differ between copies, by table and column. `n` is the number of the copy. */
export type Differing = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * With 20,000 copies, the tests find a query plan that scans a whole storefront as reliably as with a million copies.
 */
export const copies = 20_000

/**
 * Copies one row of a storefront in each table, and makes PostgreSQL plan as if there were many small storefronts. The
 * connection must not check foreign keys.
 */
export async function copyRows(run: Run, storefrontId: string, tables: Differing): Promise<void> {
  for (const [table, columns] of Object.entries(tables)) {
    const set = Object.entries({ id: `left(j->>'id', -22) || lpad(n::text, 22, '0')`, ...columns })
      .map(([column, expression]) => `'${column}', ${expression}`)
      .join(', ')
    await run({
      text: `INSERT INTO ${table} SELECT copy.* FROM (SELECT to_jsonb(own) AS j FROM ${table} own WHERE storefront_id = $1 LIMIT 1) one,
        generate_series(1, ${copies}) n, LATERAL jsonb_populate_record(NULL::${table}, j || jsonb_build_object(${set})) copy`,
      values: [storefrontId],
    })
  }
  await asIfManyStorefronts(run)
}

/** Returns the number of scans, and each scan of `tables` that reads a whole table or more than `mostRead` rows. */
export async function manyRowsRead(
  run: Run,
  pages: Readonly<Record<string, readonly RecordedQuery[]>>,
  { tables, mostRead }: { readonly tables: readonly string[]; readonly mostRead: number },
): Promise<{ readonly explained: number; readonly wrong: readonly string[] }> {
  const wrong: string[] = []
  let explained = 0
  for (const [page, queries] of Object.entries(pages)) {
    expect(queries.length, page).toBeGreaterThan(0)
    for (const query of queries)
      for (const { table, rows, isWhole } of await scansOf(run, query)) {
        explained++
        if (tables.includes(table) && (isWhole || rows > mostRead))
          wrong.push(`${page}: ${isWhole ? 'the whole of' : `${rows} rows of`} ${table} for ${query.text}`)
      }
  }
  return { explained, wrong }
}
