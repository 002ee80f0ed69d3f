import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { completions } from './completion.ts'
import { CommandFailure, described, exitCodes } from './failure.ts'
import { helpFor } from './help.ts'
import { readStored } from './login.ts'
import { parsed } from './parse.ts'
import { paint, type Terminal } from './terminal.ts'
import { version } from './version.ts'

export async function main(given: readonly string[], terminal: Terminal): Promise<number> {
  try {
    // Shell completion scripts call this hidden command.
    if (given[0] === '__complete') {
      terminal.out(
        completions(given.slice(1), commands)
          .map((each) => `${each}\n`)
          .join(''),
      )
      return exitCodes.done
    }
    const call = parsed(given, commands)
    if (call.kind === 'version') terminal.out(`${version}\n`)
    else if (call.kind === 'help')
      terminal.out(terminal.isJson ? json(shapeOf(call.commands)) : helpFor(call.commands, terminal))
    else await run(call.command, call, terminal)
    return exitCodes.done
  } catch (error) {
    return reported(described(error, addressOf(terminal)), terminal)
  }
}

async function run(
  command: Command,
  { args, flags }: { args: readonly string[]; flags: Readonly<Record<string, string | true>> },
  terminal: Terminal,
): Promise<void> {
  const value = await command.run({ args, flags, terminal })
  terminal.progress('')
  if (value === undefined) return
  if (terminal.isJson || !command.show) terminal.out(json(value))
  else terminal.out(command.show(value as never, terminal))
}

const json = (value: unknown): string => `${JSON.stringify(value)}\n`

const shapeOf = (listed: readonly Command[]) =>
  listed.map(({ name, group, summary, args = [], flags = {} }) => ({ name, group, summary, args, flags }))

function addressOf({ env }: Terminal): string {
  try {
    return env.BILLHOOK_URL || readStored(env).url || 'the address'
  } catch {
    return 'the address'
  }
}

function reported(error: unknown, terminal: Terminal): number {
  terminal.progress('')
  if (terminal.signal.aborted) return 130
  if (!(error instanceof CommandFailure)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    terminal.error(terminal.isJson ? json({ code: 'internal', message: text, why: null, next: null }) : `${text}\n`)
    return exitCodes.failed
  }
  const { code, message, why, next, exitCode } = error
  if (terminal.isJson) terminal.error(json({ code, message, why, next }))
  else {
    terminal.error(`${paint(terminal, 'red', 'Error:')} ${message}\n`)
    if (why) terminal.error(`${paint(terminal, 'dim', 'Why:  ')} ${why}\n`)
    if (next) terminal.error(`${paint(terminal, 'dim', 'Next: ')} ${next}\n`)
  }
  return exitCode
}
