import type { Terminal } from './terminal.ts'

export interface Flag {
  readonly value?: string
  readonly help: string
}

interface Argument {
  readonly name: string
  readonly help: string
  readonly isOptional?: true
  readonly values?: readonly string[]
}

export interface Call {
  readonly args: readonly string[]
  readonly flags: Readonly<Record<string, string | true>>
  readonly terminal: Terminal
}

export const groups = ['Account', 'Webhooks', 'Test mode', 'More'] as const

export interface Command {
  readonly name: string
  readonly group: (typeof groups)[number]
  /** The summary is one line without a period at the end. */
  readonly summary: string
  readonly args?: readonly Argument[]
  readonly flags?: Readonly<Record<string, Flag>>
  readonly details?: readonly string[]
  readonly examples?: readonly string[]
  /** Returns the value for `--json`, or undefined if the command has printed its output. */
  run(call: Call): Promise<unknown>
  show?(value: never, terminal: Terminal): string
}

/** Checks at compile time that `show` accepts the result of `run`. */
export const command = <Value>(
  definition: Omit<Command, 'run' | 'show'> & {
    run(call: Call): Promise<Value>
    show?(value: Value, terminal: Terminal): string
  },
): Command => definition as Command
