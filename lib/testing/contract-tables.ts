import { readdirSync, readFileSync } from 'node:fs'

export interface Table {
  readonly file: string
  readonly heading: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}
const folder = 'docs/contract'
export const pages: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(folder).map((file) => [file, readFileSync(`${folder}/${file}`, 'utf8')] as const),
)
export const tables: readonly Table[] = Object.entries(pages).flatMap(([file, text]) => tablesOf(file, text))

function tablesOf(file: string, text: string): Table[] {
  const found: { file: string; heading: string; lines: string[][] }[] = []
  let heading = ''
  let isInTable = false
  for (const line of text.split('\n')) {
    if (/^#+ /.test(line)) heading = line.replace(/^#+ /, '')
    const isRow = line.startsWith('|')
    if (isRow && !isInTable) found.push({ file, heading, lines: [] })
    if (isRow) found.at(-1)?.lines.push(cellsOf(line))
    isInTable = isRow
  }
  return found.map(({ lines: [columns = [], , ...rows], ...table }) => ({ ...table, columns, rows }))
}

function cellsOf(line: string): string[] {
  const cells = line.split('|').slice(1, -1)
  return cells.map((cell) => cell.trim())
}

export const withColumns = (...names: string[]) =>
  tables.filter(({ columns }) => names.every((name, n) => columns[n] === name))
export const under = (heading: string, ...names: string[]) =>
  withColumns(...names).filter((each) => each.heading === heading)
export const rowsOf = (some: readonly Table[]) =>
  some.flatMap(({ rows }) => rows.map((row) => row.map((cell) => cell.replaceAll('`', ''))))
export const firstCells = (some: readonly Table[]) => rowsOf(some).map(([first = '']) => first)
export const cut = (some: readonly Table[], columns: number) => rowsOf(some).map((row) => row.slice(0, columns))
