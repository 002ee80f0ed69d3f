/**
 * A time zone (IANA) as a browser names its own, such as `Europe/Warsaw`. Null for anything that `Intl` does not know, and
 * for offsets such as `+02:00`, which say nothing of another season.
 */
export function readTimeZone(value: string | null): string | null {
  if (value === null || !/^[A-Za-z][\w+/-]{1,63}$/.test(value)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone
  } catch {
    return null // Intl throws on a zone that it does not know.
  }
}
