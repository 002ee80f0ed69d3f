/** The rates of one day. */
export interface DayOfRates {
  /** As 2026-11-20. */
  readonly day: string
  /** Units for one euro, by currency code. */
  readonly rates: ReadonlyMap<string, string>
}

/** Reads the bank's daily file (`eurofxref-daily.xml`). Null if it is none. */
export function readRates(xml: string): DayOfRates | null {
  const [, day] = /<Cube\s+time=['"](\d{4}-\d{2}-\d{2})['"]/.exec(xml) ?? []
  const rates = [...xml.matchAll(/<Cube\s+currency=['"]([A-Z]{3})['"]\s+rate=['"](\d{1,6}(?:\.\d{1,6})?)['"]/g)]
    .map(([, currency = '', rate = '']) => [currency, rate] as const)
    .filter(([, rate]) => Number(rate) > 0)
  return day !== undefined && rates.length > 0 ? { day, rates: new Map(rates) } : null
}
