import { parseArgs } from 'node:util'
import { Refusal } from '../kernel/refusal.ts'
import { InvalidConfig } from '../platform/config.ts'
import { isOnHold, lacksTables } from '../platform/db/unavailable.ts'
import type { Command, Flag } from './command.ts'
import { groups as allGroups } from './commands.ts'
import { type Group, helpFor, nameOf } from './help.ts'
import { readable, toJson } from './output.ts'
import { withSecrets } from './secret-file.ts'

/** Connects to the database. Returns a function that closes the connection. */
export type Connect = () => Promise<() => Promise<void>>

class UsageError extends Error {}

/** An error that the command line prints as one sentence without a stack trace. */
class Unmigrated extends Error {
  override name = 'UserFacingError'
}

/** If every migration is applied, a missing table is a bug, and the error keeps its stack trace. */
async function isUnmigrated(cause: unknown): Promise<boolean> {
  if (!lacksTables(cause)) return false
  const { missingMigrations } = await import('../server/migrations.ts')
  return (await missingMigrations()).length > 0
}

interface Streams {
  readonly out: (text: string) => void
  readonly error: (text: string) => void
}

const standard: Streams = {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
}

/**
 * Runs one command. Writes the result to stdout, and a failure to stderr as one sentence. With `--json`, the result and the failure are each one
 * JSON value.
 * @returns the exit code
 */
export async function main(
  args: readonly string[],
  connect: Connect,
  { out, error }: Streams = standard,
): Promise<number> {
  const asJson = args.includes('--json')
  try {
    const call = understand(args)
    if ('help' in call) {
      out(call.help)
      return 0
    }
    const disconnect = await connect()
    try {
      if (!call.command.withAnyKey) await (await import('../server/secret-key.ts')).requireSecretKey()
      const value = await call.command.run(await withSecrets(call.flags, secretsOf(call.command)), error)
      const isForPrograms = asJson || call.command.alwaysJson
      out(isForPrograms ? `${toJson(value)}\n` : readable(value, call.command.jsonOnly))
      if (!isForPrograms && call.command.lastWord) out(`\n${await call.command.lastWord(value)}\n`)
      return call.command.isBad?.(value) ? 1 : 0
    } catch (cause) {
      throw (await isUnmigrated(cause))
        ? new Unmigrated('The database lacks migrations of this version. Run `npm run migrate`.')
        : cause
    } finally {
      await disconnectAll(disconnect)
    }
  } catch (cause) {
    const { code, message, stack } = describeFailure(cause, args)
    error(asJson ? `${toJson({ message, code })}\n` : `${stack ?? message}\n`)
    return 1
  }
}

type Call = { help: string } | { command: Command; flags: Record<string, string> }

/** Parses the arguments of the command line. Throws a UsageError with one sentence. */
export function understand(args: readonly string[], groups: readonly Group[] = allGroups): Call {
  const table = groups.flatMap(({ commands }) => commands)
  const helpOf = (asked: readonly Command[]) =>
    helpFor(
      groups
        .map(({ title, commands }) => ({ title, commands: commands.filter((each) => asked.includes(each)) }))
        .filter(({ commands }) => commands.length > 0),
    )
  const words = args[0] === 'help' ? [...args.slice(1), '--help'] : args
  const wantsHelp = words.includes('--help') || words.includes('-h')
  const rest = words.filter((arg) => arg !== '--json' && arg !== '--help' && arg !== '-h')
  const [noun, verb] = rest
  if (noun === undefined) return { help: helpOf(table) }
  const ofNoun = table.filter((command) => command.noun === noun)
  if (ofNoun.length === 0)
    throw new UsageError(`There is no command "${noun}". Use one of: ${list(table.map((command) => command.noun))}.`)
  const command = ofNoun.find((each) => each.verb === verb) ?? ofNoun.find((each) => each.verb === undefined)
  if (wantsHelp && verb === undefined && command && ofNoun.length > 1)
    return { help: `${helpOf([command])}\n${helpOf(ofNoun.filter((each) => each !== command))}` }
  if (!command) {
    if (wantsHelp && verb === undefined) return { help: helpOf(ofNoun) }
    const verbs = list(ofNoun.flatMap((each) => each.verb ?? []))
    throw new UsageError(
      verb === undefined
        ? `The command ${noun} needs a verb. Use one of: ${verbs}.`
        : `There is no command "${noun} ${verb}". Use one of: ${verbs}.`,
    )
  }
  if (wantsHelp) return { help: helpOf([command]) }
  return { command, flags: parseFlags(command, rest.slice(command.verb === undefined ? 1 : 2)) }
}

const list = (words: readonly string[]) => [...new Set(words)].join(', ') || 'none'

function parseFlags(command: Command, args: readonly string[]): Record<string, string> {
  const flags = {
    ...command.flags,
    ...Object.fromEntries(secretsOf(command).map((name) => [`${name}-file`, secretFile])),
  }
  const called = nameOf(command)
  const options = Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'string' as const }]))
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const values: Record<string, string> = {}
  for (const token of tokens) {
    if (token.kind !== 'option') throw new UsageError(`${called} takes flags only, not "${args[token.index]}".`)
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined
    if (!flag)
      throw new UsageError(
        `${called} has no flag ${token.rawName}. Its flags: ${list(Object.keys(flags).map((name) => `--${name}`))}.`,
      )
    if (token.value === undefined || (token.value === '' && !flag.mayBeEmpty))
      throw new UsageError(`--${token.name} needs a value: ${flag.help}.`)
    if (flag.oneOf && !flag.oneOf.includes(token.value))
      throw new UsageError(`--${token.name} must be ${flag.oneOf.join(' or ')}.`)
    values[token.name] = token.value
  }
  for (const [name, flag] of Object.entries(flags)) {
    if (values[name] !== undefined && values[`${name}-file`] !== undefined)
      throw new UsageError(`${called} takes --${name} or --${name}-file, not both.`)
    if (flag.required && values[name] === undefined && values[`${name}-file`] === undefined) {
      const fromFile = flag.isSecret ? ` or --${name}-file FILE` : ''
      throw new UsageError(`${called} needs --${name} ${flag.value}${fromFile}: ${flag.help}.`)
    }
  }
  return values
}

const secretFile: Flag = { value: 'FILE', help: 'a file with the secret' }

const secretsOf = ({ flags }: Command) => Object.keys(flags).filter((name) => flags[name]?.isSecret)

async function disconnectAll(disconnect: () => Promise<void>): Promise<void> {
  const { closeDatabase } = await import('../platform/db/db.ts')
  await closeDatabase()
  await disconnect()
}

/**
 * Refusals, UsageErrors, invalid configurations, and UserFacingErrors become one sentence. Any other error is a bug and
 * keeps its stack trace.
 */
function describeFailure(
  cause: unknown,
  args: readonly string[],
): { code: string; message: string; stack?: string | undefined } {
  if (cause instanceof Error && cause.name === 'StillOnHold') {
    const { message, stack, ...rest } = describeFailure(cause.cause, args)
    return { ...rest, message: `${message} ${stillOnHold}`, ...(stack && { stack: `${stack}\n${stillOnHold}` }) }
  }
  if (cause instanceof Refusal)
    return { code: String(cause.details?.reason ?? cause.code), message: sentenceOf(cause, args) }
  if (cause instanceof UsageError) return { code: 'usage', message: cause.message }
  if (cause instanceof InvalidConfig) return { code: 'invalid_configuration', message: cause.message }
  if (isOnHold(cause)) return { code: 'unavailable', message: onHold }
  if (!(cause instanceof Error)) return { code: 'internal', message: String(cause) }
  if (cause.name === 'UserFacingError') return { code: 'unavailable', message: cause.message }
  return { code: 'internal', message: cause.message, stack: cause.stack }
}

const onHold = 'The storefront is on hold because it moves to another installation. It cannot be changed here.'

const stillOnHold =
  'The storefront is still on hold. If no other installation imports it, end the hold with `storefront release`.'

/** The flag of a field, such as `--password`, or `--password-file` if the arguments contain the flag for a file. */
function flagOf(field: string, args: readonly string[]): string {
  const flag = `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  return args.some((arg) => arg === `${flag}-file` || arg.startsWith(`${flag}-file=`)) ? `${flag}-file` : flag
}

/** Puts the flag of a field, such as `--support-url` for `supportUrl`, before the problem of the field. */
function sentenceOf({ message, on }: Refusal, args: readonly string[]): string {
  const fields = Object.entries(on).flatMap(([field, sentences]) =>
    sentences.map((sentence) => `${flagOf(field, args)}: ${sentence}`),
  )
  return fields.length > 0 ? fields.join(' ') : message
}
