import { toWire } from '../kernel/moment.ts'

export const toJson = (value: unknown): string => JSON.stringify(plain(value)) ?? 'null'

/**
 * Formats a result for people. Formats a list as a table, or as separate records if a text has several lines. Omits the fields named in `out`. The text ends
 * with a line break unless it is empty.
 */
export function readable(value: unknown, out: readonly string[] = []): string {
  const shown = plain(value)
  if (isRecord(shown)) return fields(shown, out)
  if (!Array.isArray(shown)) {
    const text = cell(shown)
    return text.endsWith('\n') ? text : `${text}\n`
  }
  const records = shown.map((row) => (isRecord(row) ? row : { value: row }))
  if (records.length === 0) return '(none)\n'
  const hasLines = records.some((record) =>
    Object.entries(record).some(([name, each]) => isText(each) && !out.includes(name)),
  )
  return hasLines ? records.map((record) => fields(record, out)).join('\n') : table(records, out)
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim().includes('\n')

function fields(record: Record<string, unknown>, out: readonly string[]): string {
  return Object.entries(record)
    .filter(([name]) => !out.includes(name))
    .map(([name, each]) => (isText(each) ? `${name}:\n${indented(String(each))}` : `${name}: ${cell(each)}\n`))
    .join('')
}

const indented = (text: string): string => `${text.trimEnd().replaceAll(/^(?=.)/gm, '  ')}\n`

function table(records: readonly Record<string, unknown>[], out: readonly string[]): string {
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
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ') || '-'
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
