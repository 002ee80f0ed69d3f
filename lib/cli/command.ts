export interface Flag {
  /** The placeholder for the value in the help. */
  readonly value: string
  readonly help: string
  readonly required?: boolean
  readonly oneOf?: readonly string[]
  /** An empty value is allowed and clears the stored value. */
  readonly mayBeEmpty?: true
  /** Other users of the machine can read a command line, so the secret may also be given as `--NAME-file`. */
  readonly isSecret?: true
}

type Flags = Readonly<Record<string, Flag>>

export type Values<Of extends Flags> = {
  [Name in keyof Of]: Of[Name] extends { required: true } ? string : string | undefined
}

interface Definition<Of extends Flags> {
  readonly noun: string
  /** Absent for nouns without verbs. */
  readonly verb?: string
  /** Ends without a full stop. */
  readonly summary: string
  readonly flags: Of
  /** The result is for programs: JSON even without `--json`. */
  readonly alwaysJson?: true
  /** The command encrypts and decrypts nothing, so it also runs with another SECRET_KEY than the database's. */
  readonly withAnyKey?: true
  /** Fields that do not fit a table and appear only in JSON. */
  readonly jsonOnly?: readonly string[]
  /** Whether the result reports a problem. The result is shown, and the exit code is 1. */
  isBad?(answer: unknown): boolean
  /** Loads its operations at run time, so that unused modules cost no time. */
  run(flags: Values<Of>): Promise<unknown>
  /** A closing sentence, shown only in readable output. */
  lastWord?(answer: unknown): Promise<string>
}

export type Command = Definition<Flags>

export const command = <const Of extends Flags>(definition: Definition<Of>) => definition as unknown as Command
