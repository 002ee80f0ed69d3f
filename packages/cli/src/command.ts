import type { Terminal } from './terminal.ts'

export interface Flag {
  /** The placeholder for the value in the help. Absent for a flag without a value. */
  readonly value?: string
  readonly help: string
}

interface Argument {
  /** The placeholder in the help, such as `DURATION`. */
  readonly name: string
  readonly help: string
  readonly isOptional?: true
  /** The values that a shell completes. */
  readonly values?: readonly string[]
}

export interface Call {
  readonly args: readonly string[]
  readonly flags: Readonly<Record<string, string | true>>
  readonly terminal: Terminal
}

export const groups = ['Account', 'Webhooks', 'Test mode', 'More'] as const

export interface Command {
  /** One or two words, such as `clock advance`. */
  readonly name: string
  readonly group: (typeof groups)[number]
  /** Without a period at the end. */
  readonly summary: string
  readonly args?: readonly Argument[]
  readonly flags?: Readonly<Record<string, Flag>>
  /** Paragraphs of the help. */
  readonly details?: readonly string[]
  readonly examples?: readonly string[]
  /** Returns the value that `--json` prints, or undefined if the command has already printed its output. */
  run(call: Call): Promise<unknown>
  /** Formats the value as text. */
  show?(value: never, terminal: Terminal): string
}

/** Checks that `show` accepts the value that `run` returns. */
export const command = <Value>(
  definition: Omit<Command, 'run' | 'show'> & {
    run(call: Call): Promise<Value>
    show?(value: Value, terminal: Terminal): string
  },
): Command => definition as Command
