export interface Flag {
  readonly value: string
  readonly help: string
  readonly required?: boolean
  readonly oneOf?: readonly string[]
  /** The meaning of each value of `oneOf`, which the help of the command lists. */
  readonly meanings?: Readonly<Record<string, string>>
  /** Whether an empty value is allowed. An empty value clears the stored value. */
  readonly mayBeEmpty?: true
  /** The command also accepts `--NAME-file` with the path of a file, because other users of the machine can read a secret on the command line. */
  readonly isSecret?: true
}

type Flags = Readonly<Record<string, Flag>>

export type Values<Of extends Flags> = {
  [Name in keyof Of]: Of[Name] extends { required: true } ? string : string | undefined
}

interface Definition<Of extends Flags> {
  readonly noun: string
  readonly verb?: string
  /** `summary` has no final period. */
  readonly summary: string
  readonly flags: Of
  readonly alwaysJson?: true
  /** The command runs even if SECRET_KEY is not the key of the database, so the command must not encrypt or decrypt anything. */
  readonly withAnyKey?: true
  /** Fields that appear only in JSON, because they do not fit a table. */
  readonly jsonOnly?: readonly string[]
  /** Returns true if the result is a failure. The command line then prints the result as usual, but exits with code 1. */
  isBad?(answer: unknown): boolean
  /** Imports the operations of the command at run time, so that other commands do not load these operations. `say` writes lines of progress to stderr. */
  run(flags: Values<Of>, say: (text: string) => void): Promise<unknown>
  /** Returns a sentence that the command line prints after the result, except in JSON output. */
  lastWord?(answer: unknown): Promise<string>
}

export type Command = Definition<Flags>

export const command = <const Of extends Flags>(definition: Definition<Of>) => definition as unknown as Command
