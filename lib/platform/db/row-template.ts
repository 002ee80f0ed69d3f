/**
 * Rows that are made with all their columns at once. An object that gets its columns one by one becomes a hash table after a
 * dozen of them, which is slow to make, to read and to collect; a copy of a template stays an object with a shape.
 */

type Row = Record<string, unknown>

const most = 1_000
const known = new Map<string, Row>()

/** A row with these columns, all of them null; `{ ...template }` is a new one. */
export function rowTemplate(names: readonly string[]): Readonly<Row> {
  const key = names.join('\0')
  const before = known.get(key)
  if (before) return before
  // What JSON.parse makes has a shape, however many columns there are.
  const template = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:null`).join(',')}}`) as Row
  // Some statements are made for a number of columns.
  if (known.size < most) known.set(key, template)
  return template
}
