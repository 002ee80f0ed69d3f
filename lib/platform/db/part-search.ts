import { type Fragment, fragment, rawFragment } from './fragment.ts'

interface PartSearch {
  readonly table: Fragment
  readonly columns: Readonly<Record<'id' | 'storefrontId' | 'testmode' | (string & {}), string>>
  /** The search condition. A trigram index of the table must support this condition. */
  readonly matches: Fragment
  readonly storefrontIds: readonly string[] | null
  readonly take: number
  readonly newest: number
}

/**
 * The maximum number of matches that are read from the trigram index. With more matches, the result may lack the newest
 * matches.
 */
const mostMatching = 5_000

/**
 * Selects the newest rows that contain a text. The query first scans the newest rows, because for a common text the trigram index would return a large part of
 * the table. If too few of the scanned rows match, the trigram index finds older rows.
 */
export function partSearch({ table, columns, matches, storefrontIds, take, newest }: PartSearch): Fragment {
  const limit = numberOf(take)
  const names = rawFragment([...Object.keys(columns), 'matches'].map((name) => `"${name}"`).join(', '))
  const expressions = rawFragment(
    Object.entries(columns)
      .map(([name, expression]) => `${expression} AS "${name}"`)
      .join(', '),
  )
  const compared = fragment`${expressions}, (${matches}) AS matches`
  const { checked, hasOlder, owned } = storefrontIds
    ? ofStorefronts(
        table,
        { compared, names },
        storefrontIds,
        Math.max(take, Math.floor(newest / storefrontIds.length / 2)),
      )
    : {
        checked: fragment`SELECT ${compared} FROM ${table} ORDER BY id DESC LIMIT ${numberOf(newest)}`,
        hasOlder: fragment`true`,
        owned: fragment`true`,
      }
  // PostgreSQL plans an unknown limit as a tenth of the table, so limits are literals. Without OFFSET 0, PostgreSQL
  // would scan a whole storefront, because it expects a storefront to be small.
  return fragment`
    WITH newest AS MATERIALIZED (SELECT ${names} FROM (${checked}) checked WHERE matches ORDER BY id DESC LIMIT ${limit}),
    older AS MATERIALIZED (
      SELECT ${names} FROM (SELECT ${expressions}, true AS matches FROM ${table}
        WHERE (SELECT count(*) FROM newest) < ${limit} AND ${hasOlder} AND ${matches} OFFSET 0) every
      WHERE ${owned} LIMIT ${numberOf(mostMatching)})
    SELECT ${names} FROM (TABLE newest UNION TABLE older) found ORDER BY id DESC LIMIT ${limit}`
}

function ofStorefronts(
  table: Fragment,
  { compared, names }: { readonly compared: Fragment; readonly names: Fragment },
  storefrontIds: readonly string[],
  mostOfEach: number,
) {
  const newestOfEach = (wanted: Fragment, selected: Fragment, range: Fragment) => fragment`
    SELECT ${wanted} FROM unnest(${storefrontIds}::text[]) AS own (storefront) CROSS JOIN (VALUES (true), (false)) AS mode (is_test)
      CROSS JOIN LATERAL (SELECT ${selected} FROM ${table}
        WHERE storefront_id = own.storefront AND testmode = mode.is_test ORDER BY id DESC ${range}) each`
  const [id, most] = [fragment`id`, numberOf(mostOfEach)]
  return {
    checked: newestOfEach(names, compared, fragment`LIMIT ${most}`),
    hasOlder: fragment`EXISTS (${newestOfEach(id, id, fragment`LIMIT 1 OFFSET ${most}`)})`,
    owned: fragment`"storefrontId" = ANY(${storefrontIds}::text[])`,
  }
}

const numberOf = (count: number): Fragment => rawFragment(String(count))
