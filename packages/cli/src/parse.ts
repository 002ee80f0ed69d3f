import { parseArgs } from 'node:util'
import leven from 'leven'
import type { Command, Flag } from './command.ts'
import { wrongUsage } from './failure.ts'

export const commonFlags: Readonly<Record<string, Flag>> = {
  json: { help: 'print JSON' },
  'no-color': { help: 'print without colors' },
  help: { help: 'describe the command' },
}

export type Parsed =
  | { readonly kind: 'run'; readonly command: Command; readonly args: string[]; readonly flags: Flags }
  | { readonly kind: 'help'; readonly commands: readonly Command[] }
  | { readonly kind: 'version' }

type Flags = Record<string, string | true>

const aliases: Readonly<Record<string, string>> = { h: 'help' }

/** Throws a `CommandFailure` with one sentence. */
export function parsed(given: readonly string[], commands: readonly Command[]): Parsed {
  if (given.length === 1 && (given[0] === '--version' || given[0] === '-v')) return { kind: 'version' }
  const isHelp = given[0] === 'help'
  const words = isHelp ? given.slice(1) : given
  const leading = words.findIndex((word) => word.startsWith('-'))
  const named = leading === -1 ? words : words.slice(0, leading)
  const wantsHelp = isHelp || words.length === 0 || words.some((word) => word === '--help' || word === '-h')
  if (named.length === 0) {
    if (wantsHelp) return { kind: 'help', commands }
    throw wrongUsage(`The command is missing before ${words[0]}.`, 'billhook help')
  }
  const command = commandOf(named, commands)
  const group = commands.filter(({ name }) => name.split(' ')[0] === named[0])
  if (!command) {
    if (group.length > 0 && named.length === 1 && wantsHelp) return { kind: 'help', commands: group }
    throw unknown(named, commands)
  }
  if (wantsHelp) return { kind: 'help', commands: [command] }
  return { kind: 'run', command, ...valuesOf(command, words.slice(command.name.split(' ').length)) }
}

const commandOf = (named: readonly string[], commands: readonly Command[]) =>
  commands.find(({ name }) => name === named.slice(0, 2).join(' ')) ?? commands.find(({ name }) => name === named[0])

function unknown(named: readonly string[], commands: readonly Command[]) {
  const [first = '', second] = named
  const below = commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name] : []))
  if (below.length > 0 && second === undefined)
    return wrongUsage(`The command ${first} needs a second word.`, `Use one of: ${below.join(', ')}`)
  const names = commands.map(({ name }) => name)
  const typed = below.length > 0 ? `${first} ${second}` : first
  const near = nearest(typed, below.length > 0 ? below : names)
  return wrongUsage(`There is no command "${typed}".`, near ? `Did you mean: billhook ${near}` : 'billhook help')
}

export function nearest(typed: string, names: readonly string[]): string | null {
  const beginning = names.filter((name) => typed.length > 2 && name.startsWith(typed))
  if (beginning.length === 1 && beginning[0]) return beginning[0]
  const ranked = names.map((name) => ({ name, distance: leven(typed, name) })).sort((a, b) => a.distance - b.distance)
  const [best] = ranked
  return best && best.distance <= Math.max(2, Math.floor(typed.length / 3)) ? best.name : null
}

function valuesOf(command: Command, words: readonly string[]): { args: string[]; flags: Flags } {
  const all = { ...command.flags, ...commonFlags }
  const options = Object.fromEntries(
    Object.entries(all).map(([name, { value }]) => [
      name,
      { type: value ? ('string' as const) : ('boolean' as const) },
    ]),
  )
  const { tokens } = parseArgs({ args: [...words], options, strict: false, tokens: true, allowPositionals: true })
  const args: string[] = []
  const flags: Flags = {}
  const next = `billhook help ${command.name}`
  for (const token of tokens) {
    if (token.kind === 'positional') args.push(token.value)
    if (token.kind !== 'option') continue
    const name = aliases[token.name] ?? token.name
    const flag = Object.hasOwn(all, name) ? all[name] : undefined
    if (!flag) {
      const near = nearest(name, Object.keys(all))
      const hint = near ? `Did you mean --${near}?` : next
      throw wrongUsage(`The command ${command.name} has no flag ${token.rawName}.`, hint)
    }
    if (flag.value && !token.value) throw wrongUsage(`The flag --${name} needs a value: ${flag.help}.`, next)
    if (!flag.value && token.value !== undefined) throw wrongUsage(`The flag --${name} takes no value.`, next)
    flags[name] = token.value ?? true
  }
  const expected = command.args ?? []
  const missing = expected.slice(args.length).find(({ isOptional }) => !isOptional)
  if (missing) throw wrongUsage(`The command ${command.name} needs ${missing.name}: ${missing.help}.`, next)
  if (args.length > expected.length)
    throw wrongUsage(`The command ${command.name} does not take "${args[expected.length]}".`, next)
  return { args, flags }
}
