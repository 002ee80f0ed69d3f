/** Looks up an untrusted key. A plain `table[key]` would return a function for the key `constructor`. */
export const lookUp = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined
