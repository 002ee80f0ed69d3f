export type Cell = string | number | null

/** One line in the format of RFC 4180, with its line break. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

const isNumber = /^-?\d+(\.\d+)?$/

/**
 * The positions at which a spreadsheet can start to read a formula: the start of a cell, and after a line break,
 * semicolon, tab, or bar. Many spreadsheets split cells at these characters instead of commas. Quotation marks around
 * the cell do not prevent this.
 */
const formulas = /(^|[;|\t\r\n])(?=(?:[^\S\r\n]|["'])*[=+\-@＝＋－＠﹦﹢﹣﹫])|^(?=[\t\r])/g

/** Puts an apostrophe before text that a spreadsheet would interpret as a formula (OWASP, CSV injection). */
function csvCell(value: Cell): string {
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

/**
 * The columns of a list in their order. Each entry has both the name and the cell of a column, so a cell cannot get the
 * wrong name.
 */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

export const csvHeader = <Row>(columns: Columns<Row>): string => csvLine(Object.keys(columns))

export const csvRows = <Row>(rows: readonly Row[], columns: Columns<Row>): string =>
  rows.map((row) => csvLine(Object.values(columns).map((cell) => cell(row)))).join('')

/**
 * The names of all fields of a row, in the order of the columns. TypeScript refuses an unknown name, and a list that
 * lacks a field of the row.
 */
export type FieldNames<Row, Names extends readonly (keyof Row & string)[]> = Names &
  ([Exclude<keyof Row, Names[number]>] extends [never] ? unknown : { missing: Exclude<keyof Row, Names[number]> })

/** Each cell is selected by the name of its column. A table without rows consists of the header line. */
export const csvTable = <
  Row extends { readonly [Name in keyof Row]: Cell },
  const Names extends readonly (keyof Row & string)[],
>(
  rows: readonly Row[],
  names: FieldNames<Row, Names>,
): string => [names, ...rows.map((row) => names.map((name) => row[name] as Cell))].map(csvLine).join('')
