/**
 * Validates a time zone (IANA) from a browser. Null for an unknown name, and for offsets such as `+02:00`, which ignore
 * daylight saving time.
 */
export function readTimeZone(value: string | null): string | null {
  if (value === null || !/^[A-Za-z][\w+/-]{1,63}$/.test(value)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone
  } catch {
    return null // Intl throws on an unknown time zone.
  }
}

/** Node.js 20 has `timeZones`, and Node.js 24 has `getTimeZones`. TypeScript declares neither. */
interface WithTimeZones extends Intl.Locale {
  readonly timeZones?: readonly string[]
  getTimeZones?(): readonly string[]
}

/** The time zone (IANA) of a country. Null for an unknown country, and if parts of the country have different times at the moment `at`. */
export function timeZoneIn(country: string, at: Date): string | null {
  if (!/^[A-Z]{2}$/.test(country)) return null
  const locale: WithTimeZones = new Intl.Locale('und', { region: country })
  const [first, ...others] = locale.getTimeZones?.() ?? locale.timeZones ?? []
  if (first === undefined) return null
  const shown = (timeZone: string) => at.toLocaleString('en', { timeZone })
  return others.every((other) => shown(other) === shown(first)) ? first : null
}
