/**
 * What a table has for a key that came from outside. Nothing for the names that every object has: `table[key]` would find
 * a function for `constructor`.
 */
export const lookUp = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined
