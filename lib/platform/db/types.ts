import pg from 'pg'

const { builtins } = pg.types

/** `text` is a UTC time such as `2026-11-24 08:00:00.123+00`. */
const moment = (text: string): Date =>
  text[4] === '-' && text.endsWith('+00')
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
    : (pg.types.getTypeParser(builtins.TIMESTAMPTZ)(text) as Date)

// biome-ignore lint/suspicious/noExplicitAny: the driver's type
const parsers: Readonly<Record<number, (text: string) => any>> = {
  [builtins.INT8]: BigInt,
  [builtins.TIMESTAMPTZ]: moment,
  [builtins.DATE]: (text) => new Date(text),
}

/** int8 becomes a bigint; times and days become a Date. Numeric values stay text. */
export const typeParser = ((oid: number, format?: 'text') =>
  parsers[oid] ?? pg.types.getTypeParser(oid, format ?? 'text')) as typeof pg.types.getTypeParser
