export interface Flag {
  /** The placeholder for the value in the help. */
  readonly value: string
  readonly help: string
  readonly required?: boolean
  readonly oneOf?: readonly string[]
  /** An empty value means something: it clears what is there. */
  readonly mayBeEmpty?: true
  /** Others can read a command line: a secret may also be given as `--NAME-file`. */
  readonly isSecret?: true
}

type Flags = Readonly<Record<string, Flag>>

export type Values<Of extends Flags> = {
  [Name in keyof Of]: Of[Name] extends { required: true } ? string : string | undefined
}

interface Definition<Of extends Flags> {
  readonly noun: string
  /** Absent for nouns that need no verb. */
  readonly verb?: string
  /** Without a full stop. */
  readonly summary: string
  readonly flags: Of
  /** The answer is meant for programs: JSON even without `--json`. */
  readonly alwaysJson?: true
  /** It seals and opens nothing: it runs also with a SECRET_KEY that is not this database's. */
  readonly withAnyKey?: true
  /** Fields of a row that do not fit a table; they are shown only in JSON. */
  readonly jsonOnly?: readonly string[]
  /** Whether the answer reports a problem: it is shown, and the exit code is 1. */
  isBad?(answer: unknown): boolean
  /** Loads its operations when it runs, so that unused modules cost no time. */
  run(flags: Values<Of>): Promise<unknown>
  /** A closing sentence, shown in the readable output only. */
  lastWord?(answer: unknown): Promise<string>
}

export type Command = Definition<Flags>

export const command = <const Of extends Flags>(definition: Definition<Of>) => definition as unknown as Command
