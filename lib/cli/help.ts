import type { Command, Flag } from './command.ts'

const call = 'npm run --silent cli --'

export interface Group {
  readonly title: string
  readonly commands: readonly Command[]
}

export const nameOf = ({ noun, verb }: Pick<Command, 'noun' | 'verb'>): string =>
  verb === undefined ? noun : `${noun} ${verb}`

const widthOf = (columns: number | undefined): number => Math.min(110, Math.max(60, columns ?? 100))

export function helpFor(groups: readonly Group[], columns: number | undefined = process.stdout.columns): string {
  const width = widthOf(columns)
  const commands = groups.flatMap((group) => group.commands)
  const [only] = commands
  if (only && commands.length === 1) return detailed(only, width)
  return [
    `Usage: ${call} <noun> [verb] [--flags] [--json]`,
    ...groups.flatMap(({ title, commands }) => [
      '',
      title,
      ...aligned(
        commands.map((command) => [nameOf(command), command.summary]),
        width,
      ),
    ]),
    '',
    ...wrapped(
      '--json prints the result as one JSON value. `help <noun> <verb>` describes a command and its flags.',
      width,
    ),
    '',
  ].join('\n')
}

function detailed(command: Command, width: number): string {
  const flags = Object.entries(command.flags).map(
    ([name, flag]) =>
      [
        `--${name} ${flag.value}`,
        `${flag.help}${valuesOf(flag)}${flag.required ? ' (required)' : ''}${flag.isSecret ? `; safer: --${name}-file FILE, because other users of the machine can read a command line` : ''}`,
      ] as const,
  )
  return [
    ...usage(command, width),
    '',
    ...wrapped(`${command.summary}.`, width),
    '',
    ...aligned([...flags, ['--json', 'print the result as one JSON value']], width),
    ...Object.values(command.flags).flatMap(({ value, meanings }) =>
      meanings ? ['', `${value} is one of:`, ...aligned(Object.entries(meanings), width)] : [],
    ),
    '',
  ].join('\n')
}

/** The allowed values of a flag, unless the help shows the values elsewhere. */
const valuesOf = ({ value, oneOf, meanings, help }: Flag): string =>
  !oneOf || meanings || value === oneOf.join('|') || oneOf.every((each) => help.includes(each))
    ? ''
    : `; one of ${oneOf.join(', ')}`

function usage(command: Command, width: number): string[] {
  const flags = Object.entries(command.flags).map(([name, { value, required }]) =>
    required ? `--${name} ${value}` : `[--${name} ${value}]`,
  )
  return filled([`Usage: ${call} ${nameOf(command)}`, ...flags], width - 4).map((line, index) =>
    index === 0 ? line : `    ${line}`,
  )
}

const wrapped = (text: string, width: number): string[] => filled(text.split(' '), width)

/** Joins pieces into lines of at most `width` characters. A longer piece gets its own line. */
function filled(pieces: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const piece of pieces) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + piece.length <= width) lines[lines.length - 1] = `${last} ${piece}`
    else lines.push(piece)
  }
  return lines
}

function aligned(rows: readonly (readonly [string, string])[], width: number): string[] {
  const first = Math.max(...rows.map(([left]) => left.length))
  return rows.flatMap(([left, right]) =>
    wrapped(right, Math.max(30, width - first - 4)).map((line, index) =>
      `  ${(index === 0 ? left : '').padEnd(first)}  ${line}`.trimEnd(),
    ),
  )
}
