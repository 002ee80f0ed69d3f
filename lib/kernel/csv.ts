/** One line of a CSV file (RFC 4180), with its line break. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`

const isNumber = /^-?\d+(\.\d+)?$/

/**
 * A cell is quoted where it has to be. Text that a spreadsheet would run as a formula begins with an apostrophe, as
 * OWASP's page on CSV injection advises; numbers stay numbers.
 */
function csvCell(value: string | number | null): string {
  const text = String(value ?? '')
  const safe = /^[=+\-@\t\r]/.test(text) && !isNumber.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

type Row = Readonly<Record<string, string | number | null>>

/** Rows as a CSV file: the names of their cells are in the first line. Without rows it has those that are given. */
export const csvTable = (rows: readonly Row[], header: readonly string[] = Object.keys(rows[0] ?? {})): string =>
  [header, ...rows.map((row) => Object.values(row))].map(csvLine).join('')
