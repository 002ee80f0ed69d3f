export interface DayOfRates {
  readonly day: string
  /** Units per euro, by currency code. */
  readonly rates: ReadonlyMap<string, string>
}

export function readRates(xml: string): DayOfRates[] {
  const [, ...parts] = xml.split(/<Cube\s+time=/)
  return parts.flatMap((part) => {
    const [, day] = /^['"](\d{4}-\d{2}-\d{2})['"]/.exec(part) ?? []
    const rates = ratesIn(part)
    return day !== undefined && rates.length > 0 ? [{ day, rates: new Map(rates) }] : []
  })
}

const ratesIn = (xml: string): [string, string][] =>
  [...xml.matchAll(/<Cube\s+currency=['"]([A-Z]{3})['"]\s+rate=['"](\d{1,6}(?:\.\d{1,6})?)['"]/g)]
    .map(([, currency = '', rate = '']): [string, string] => [currency, rate])
    .filter(([, rate]) => Number(rate) > 0)
