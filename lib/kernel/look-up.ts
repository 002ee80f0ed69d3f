/**
 * The entry of a table for an untrusted key. Names that every object inherits find nothing: `table[key]` would return
 * a function for `constructor`.
 */
export const lookUp = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined
