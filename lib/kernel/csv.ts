/** One line of a CSV file (RFC 4180), with its line break. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`

const isNumber = /^-?\d+(\.\d+)?$/

/**
 * Where a spreadsheet could begin to read a formula: at the start of a cell, after a line break in it, and after a separator that
 * the spreadsheet takes instead of the comma (the semicolon in most of Europe, the tab, the bar). Quotation marks do not help
 * there, because a cell that is cut at a semicolon does not begin with one. Full-width and small signs count as signs too.
 */
const formulas = /(^|[;|\t\r\n])(?=(?:[^\S\r\n]|["'])*[=+\-@＝＋－＠﹦﹢﹣﹫])|^(?=[\t\r])/g

/** An apostrophe stands before text that a spreadsheet would run as a formula (OWASP, CSV injection). */
function csvCell(value: string | number | null): string {
  const text = String(value ?? '')
  const safe = isNumber.test(text) ? text : text.replace(formulas, "$1'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Excel reads a file with this mark as UTF-8, and a file without the mark in the code page of the country. */
export const byteOrderMark = '\ufeff'

/** A file with the mark at its beginning; an empty file stays empty. */
export async function* withByteOrderMark(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let isBegun = false
  for await (const part of parts) {
    yield isBegun || part === '' ? part : byteOrderMark + part
    isBegun ||= part !== ''
  }
}

type Row = Readonly<Record<string, string | number | null>>

/** Rows as a CSV file: the first line has the column names, from the rows or, without rows, the names given. */
export const csvTable = (rows: readonly Row[], header: readonly string[] = Object.keys(rows[0] ?? {})): string =>
  [header, ...rows.map((row) => Object.values(row))].map(csvLine).join('')
