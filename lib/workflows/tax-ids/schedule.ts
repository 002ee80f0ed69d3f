const minuteMs = 60_000
const first = [5, 5, 10, 20, 40]
const everyMinutes = 60
const mostDays = 30

/** After how many milliseconds to ask again that had no answer so often; null: no more. */
export function againAfterMs(attempts: number): number | null {
  if (attempts > first.length + mostDays * 24) return null
  return (first[attempts - 1] ?? everyMinutes) * minuteMs
}
