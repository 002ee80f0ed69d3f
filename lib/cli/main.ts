import { parseArgs } from 'node:util'
import { Refusal } from '../kernel/refusal.ts'
import { InvalidConfig } from '../platform/config.ts'
import { isOnHold } from '../platform/db/unavailable.ts'
import type { Command, Flag } from './command.ts'
import { groups as allGroups } from './commands.ts'
import { describeEnvironmentFailure } from './environment-failures.ts'
import { type Group, helpFor, nameOf } from './help.ts'
import { readable, toJson } from './output.ts'
import { withSecrets } from './secret-file.ts'

/** Connects to the database. Returns a function that closes the connection. */
export type Connect = () => Promise<() => Promise<void>>

class UsageError extends Error {}

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
 * @returns the exit code: 0 for success; 1 for a refusal, wrong usage, a failed check, or a bug; 2 if a failure of the environment prevents the command
 */
export async function main(
  args: readonly string[],
  connect: Connect,
  { out, error }: Streams = standard,
): Promise<number> {
  const asJson = args.includes('--json')
  const fail = async (cause: unknown, command?: Command): Promise<number> => {
    const { code, message, stack, exitCode } = await describeFailure(cause, { args, command })
    error(asJson ? `${toJson({ message, code })}\n` : `${stack ?? message}\n`)
    return exitCode
  }
  try {
    const call = understand(args)
    if ('help' in call) {
      out(call.help)
      return 0
    }
    const { command, flags } = call
    const disconnect = await connect()
    try {
      if (!command.withAnyKey) await (await import('../server/secret-key.ts')).requireSecretKey()
      const value = await command.run(await withSecrets(flags, secretsOf(command)), error)
      const isForPrograms = asJson || command.alwaysJson
      out(isForPrograms ? `${toJson(value)}\n` : readable(value, command.jsonOnly))
      if (!isForPrograms && command.lastWord) out(`\n${await command.lastWord(value)}\n`)
      return command.isBad?.(value) ? 1 : 0
    } catch (cause) {
      return await fail(cause, command)
    } finally {
      await disconnectAll(disconnect)
    }
  } catch (cause) {
    return await fail(cause)
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

interface Failure {
  readonly code: string
  readonly message: string
  readonly stack?: string | undefined
  readonly exitCode: 1 | 2
}

interface Asked {
  readonly args: readonly string[]
  readonly command: Command | undefined
}

/**
 * Describes an error. A refusal, wrong usage, an invalid configuration, a UserFacingError, or a failure of the
 * environment (`environment-failures.ts`) gets one sentence. Any other error is a bug and keeps its stack trace.
 */
async function describeFailure(cause: unknown, asked: Asked): Promise<Failure> {
  if (cause instanceof Error && cause.name === 'StillOnHold') {
    const { message, stack, ...rest } = await describeFailure(cause.cause, asked)
    return { ...rest, message: `${message} ${stillOnHold}`, ...(stack && { stack: `${stack}\n${stillOnHold}` }) }
  }
  if (cause instanceof Refusal)
    return { code: String(cause.details?.reason ?? cause.code), message: sentenceOf(cause, asked), exitCode: 1 }
  if (cause instanceof UsageError) return { code: 'usage', message: cause.message, exitCode: 1 }
  if (isOnHold(cause)) return { code: 'unavailable', message: onHold, exitCode: 1 }
  if (cause instanceof InvalidConfig) return { code: 'invalid_configuration', message: cause.message, exitCode: 2 }
  if (!(cause instanceof Error)) return { code: 'internal', message: String(cause), exitCode: 1 }
  if (cause.name === 'UserFacingError') return { code: 'unavailable', message: cause.message, exitCode: 2 }
  const sentence = await describeEnvironmentFailure(cause)
  if (sentence !== null) return { code: 'unavailable', message: sentence, exitCode: 2 }
  return { code: 'internal', message: cause.message, stack: cause.stack, exitCode: 1 }
}

const onHold = 'The storefront is on hold because it moves to another installation. It cannot be changed here.'

const stillOnHold =
  'The storefront is still on hold. If no other installation imports it, end the hold with `storefront release`.'

/** The flag of a field, such as `--password`, or `--password-file` if the arguments contain the flag for a file. */
function flagOf(field: string, args: readonly string[]): string {
  const flag = `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  return args.some((arg) => arg === `${flag}-file` || arg.startsWith(`${flag}-file=`)) ? `${flag}-file` : flag
}

/**
 * Puts the flag of a field, such as `--support-url` for `supportUrl`, before the problem of the field. Without such a
 * flag, puts the name of the field before the problem.
 */
function sentenceOf({ message, on }: Refusal, { args, command }: Asked): string {
  const fields = Object.entries(on).flatMap(([field, sentences]) => {
    const flag = flagOf(field, args)
    const isFlag = [flag, flag.replace(/-file$/, '')].some((name) => command?.flags[name.slice('--'.length)])
    return sentences.map((sentence) => `${isFlag ? flag : field}: ${sentence}`)
  })
  return fields.length > 0 ? fields.join(' ') : message
}
