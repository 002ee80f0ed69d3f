import { type Command, groups } from './command.ts'
import { commonFlags } from './parse.ts'
import { aligned, paint, type Terminal, wrapped } from './terminal.ts'

type Look = Pick<Terminal, 'hasColor' | 'columns'>

const widthOf = ({ columns }: Look) => Math.min(100, Math.max(60, columns))

export function helpFor(commands: readonly Command[], terminal: Look): string {
  const [only] = commands
  if (only && commands.length === 1) return detailed(only, terminal)
  const width = widthOf(terminal)
  const sections = groups.flatMap((group) => {
    const rows = commands.filter((each) => each.group === group).map((each) => [signature(each), each.summary] as const)
    return rows.length > 0 ? ['', paint(terminal, 'bold', group), ...aligned(rows, width)] : []
  })
  return [
    'billhook receives the events of a storefront, and controls its test mode.',
    '',
    `${paint(terminal, 'bold', 'Usage')}  billhook COMMAND [FLAGS]`,
    ...sections,
    '',
    paint(terminal, 'bold', 'Flags of every command'),
    ...aligned([...flagRows(commonFlags), ['--version', 'print the version']], width),
    '',
    ...wrapped(
      '`billhook help COMMAND` describes a command with examples. The guide is at /docs/merchants/command-line.',
      width,
    ),
    '',
  ].join('\n')
}

function detailed(command: Command, terminal: Look): string {
  const width = widthOf(terminal)
  const title = (text: string) => paint(terminal, 'bold', text)
  const { args = [], flags = {}, details = [], examples = [] } = command
  const argRows = args.map(({ name, help, values }) => [name, values ? `${help}: ${values.join(', ')}` : help] as const)
  return [
    `${title('Usage')}  billhook ${signature(command)}${Object.keys(flags).length > 0 ? ' [FLAGS]' : ''}`,
    '',
    `${command.summary}.`,
    ...details.flatMap((paragraph) => ['', ...wrapped(paragraph, width)]),
    ...(argRows.length > 0 ? ['', title('Arguments'), ...aligned(argRows, width)] : []),
    '',
    title('Flags'),
    ...aligned([...flagRows(flags), ...flagRows(commonFlags)], width),
    ...(examples.length > 0 ? ['', title('Examples'), ...examples.map((line) => `  ${line}`)] : []),
    '',
  ].join('\n')
}

const flagRows = (flags: NonNullable<Command['flags']>) =>
  Object.entries(flags).map(([name, { value, help }]) => [`--${name}${value ? ` ${value}` : ''}`, help] as const)

const signature = ({ name, args = [] }: Command): string =>
  [name, ...args.map((each) => (each.isOptional ? `[${each.name}]` : each.name))].join(' ')
