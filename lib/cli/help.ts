import type { Command } from './command.ts'

const call = 'npm run --silent cli --'

/** A command as typed, without its flags. */
export const nameOf = ({ noun, verb }: Pick<Command, 'noun' | 'verb'>): string =>
  verb === undefined ? noun : `${noun} ${verb}`

/** The help for all commands, for the commands of a noun, or for one command with its flags. */
export function helpFor(commands: readonly Command[]): string {
  const [only] = commands
  if (only && commands.length === 1) return detailed(only)
  const lines = commands.map((command) => [signature(command), command.summary] as const)
  return [
    `Usage: ${call} <noun> [verb] [--flags] [--json]`,
    '',
    ...aligned(lines),
    '',
    '--json answers with one JSON value; --help after a noun or a verb tells more.',
    '',
  ].join('\n')
}

function detailed(command: Command): string {
  const flags = Object.entries(command.flags).map(
    ([name, { value, help, required, isSecret }]) =>
      [
        `--${name} ${value}`,
        `${help}${required ? ' (required)' : ''}${isSecret ? `; or --${name}-file FILE, since others can read a command line` : ''}`,
      ] as const,
  )
  return [
    `Usage: ${call} ${signature(command)}`,
    '',
    `${command.summary}.`,
    '',
    ...aligned([...flags, ['--json', 'answer with one JSON value']]),
    '',
  ].join('\n')
}

function signature(command: Command): string {
  const { flags } = command
  const words = Object.entries(flags).map(([name, { value, required }]) =>
    required ? `--${name} ${value}` : `[--${name} ${value}]`,
  )
  return [nameOf(command), ...words].join(' ')
}

function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
