/** The entry of a table for an untrusted key: `table[key]` would return a function for `constructor`. */
export const lookUp = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined
