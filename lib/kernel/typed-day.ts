/** Parses a day in UTC such as `2027-03-31`. Returns its start and the start of the next day, or null. */
export function parseTypedDay(typed: string | null): { readonly start: Date; readonly end: Date } | null {
  if (typed === null || !/^\d{4}-\d{2}-\d{2}$/.test(typed)) return null
  const start = new Date(`${typed}T00:00:00Z`)
  if (Number.isNaN(start.getTime()) || !start.toISOString().startsWith(typed)) return null
  return { start, end: new Date(start.getTime() + 86_400_000) }
}
