/** One line in the format of RFC 4180, with its line break. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`

const isNumber = /^-?\d+(\.\d+)?$/

/**
 * The positions at which a spreadsheet can start to read a formula: the start of a cell, and after a line break,
 * semicolon, tab, or bar. Many spreadsheets split cells at these characters instead of commas. Quotation marks around
 * the cell do not prevent this.
 */
const formulas = /(^|[;|\t\r\n])(?=(?:[^\S\r\n]|["'])*[=+\-@＝＋－＠﹦﹢﹣﹫])|^(?=[\t\r])/g

/** Puts an apostrophe before text that a spreadsheet would interpret as a formula (OWASP, CSV injection). */
function csvCell(value: string | number | null): string {
  const text = String(value ?? '')
  const safe = isNumber.test(text) ? text : text.replace(formulas, "$1'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Excel reads a file with this mark as UTF-8, and a file without it in a national code page. */
export const byteOrderMark = '\ufeff'

export async function* withByteOrderMark(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let isBegun = false
  for await (const part of parts) {
    yield isBegun || part === '' ? part : byteOrderMark + part
    isBegun ||= part !== ''
  }
}

type Row = Readonly<Record<string, string | number | null>>

/** `header` contains the column names. By default, these are the field names of the first row. */
export const csvTable = (rows: readonly Row[], header: readonly string[] = Object.keys(rows[0] ?? {})): string =>
  [header, ...rows.map((row) => Object.values(row))].map(csvLine).join('')
