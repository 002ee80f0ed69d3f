export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isJson: boolean
  readonly hasColor: boolean
  readonly isInteractive: boolean
  readonly columns: number
  /** Milliseconds between two polls of the service. */
  readonly pollMs: number
  readonly signal: AbortSignal
  out(text: string): void
  error(text: string): void
  /** Shows a temporary line. The next text replaces it. */
  progress(text: string): void
  ask(question: string, options?: { isHidden?: boolean }): Promise<string>
  readInput(): Promise<string>
  open(url: string): Promise<boolean>
}

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const

export function paint({ hasColor }: Pick<Terminal, 'hasColor'>, color: keyof typeof codes, text: string): string {
  const [begin, end] = codes[color]
  return hasColor ? `\u001b[${begin}m${text}\u001b[${end}m` : text
}

/** Follows NO_COLOR (https://no-color.org) and FORCE_COLOR of Node.js. */
export function wantsColor(env: Terminal['env'], isTerminal: boolean, noColor: boolean): boolean {
  if (noColor || env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return isTerminal && env.TERM !== 'dumb'
}

/** A word that is longer than `width` stays whole. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

export function aligned(rows: readonly (readonly [string, string])[], columns: number): string[] {
  const width = Math.min(36, Math.max(0, ...rows.map(([left]) => left.length)))
  return rows.flatMap(([left, right]) => {
    const lines = wrapped(right, Math.max(30, columns - width - 4))
    const isLong = left.length > width
    const first = isLong ? [`  ${left}`] : []
    return [
      ...first,
      ...lines.map((line, index) => `  ${(index === 0 && !isLong ? left : '').padEnd(width)}  ${line}`.trimEnd()),
    ]
  })
}

export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows
    .map(
      (row) =>
        `${row
          .map((text, index) => text.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

export function facts(rows: readonly (readonly [string, string])[], terminal: Pick<Terminal, 'hasColor'>): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${paint(terminal, 'dim', name.padEnd(width))}  ${value}\n`).join('')
}
