import { toWire } from '../../kernel/moment.ts'

/** One line of JSON, with moments as the interface writes them. */
export const toJson = (value: unknown): string => JSON.stringify(plain(value)) ?? 'null'

/**
 * For people: a table for a list, without the columns that are left `out`; `name: value` lines for an object. Ends with a
 * line break unless empty.
 */
export function readable(value: unknown, out: readonly string[] = []): string {
  const shown = plain(value)
  if (Array.isArray(shown)) return shown.length === 0 ? '(none)\n' : table(shown, out)
  if (isRecord(shown))
    return Object.entries(shown)
      .map(([name, each]) => `${name}: ${cell(each)}\n`)
      .join('')
  return `${cell(shown)}\n`
}

function table(rows: readonly unknown[], out: readonly string[]): string {
  const records = rows.map((row) => (isRecord(row) ? row : { value: row }))
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))].filter((name) => !out.includes(name))
  const lines = [names, ...records.map((record) => names.map((name) => cell(record[name])))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines
    .map(
      (line) =>
        `${line
          .map((text, column) => text.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return toWire(value)
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
