import { poolerProblem } from '../platform/db/requirements.mjs'
import { isOnHold, isReadOnly, isUnavailable, lacksTables, layersOf } from '../platform/db/unavailable.ts'
import { reasonOf, ServiceFailure } from '../platform/outbound/service-failure.ts'

/** A condition of the surroundings that ends a command: a state of the database, of a service, or of the file system. Such a condition is no bug. */
interface Condition {
  is(cause: unknown): boolean | Promise<boolean>
  /** Returns one sentence or two, which say what the operator can do. */
  sentence(cause: unknown): string | Promise<string>
}

const again = 'Check whether the command took effect, and run it again.'

/** The first condition that applies decides. */
const conditions: readonly Condition[] = [
  {
    is: (cause) => cause instanceof ServiceFailure,
    sentence: (cause) => {
      const { message, isTemporary } = cause as ServiceFailure
      return isTemporary ? `${message}. Run the command again later.` : `${message}.`
    },
  },
  {
    is: (cause) => poolerProblem(cause) !== null,
    sentence: (cause) => String(poolerProblem(cause)),
  },
  {
    is: isReadOnly,
    sentence: async () => {
      const { databaseProblem } = await import('../server/usable-database.ts')
      return (
        (await databaseProblem().catch(() => null)) ??
        `The database refused a change, because it was read-only. ${again}`
      )
    },
  },
  {
    is: async (cause) => {
      if (!lacksTables(cause)) return false
      // If every migration is applied, a missing table is a bug.
      const { missingMigrations } = await import('../server/migrations.ts')
      return (await missingMigrations()).length > 0
    },
    sentence: () => 'The database lacks migrations of this version. Run `npm run migrate`.',
  },
  {
    is: (cause) => layersOf(cause).some(({ code }) => code === '42501'),
    sentence: (cause) => `The user of the database lacks a right: ${messageOf(cause)}.`,
  },
  {
    is: (cause) => cause instanceof Error && (cause.message === 'fetch failed' || cause.name === 'TimeoutError'),
    sentence: (cause) => `An external service does not respond (${reasonOf(cause)}). ${again}`,
  },
  {
    is: isUnavailable,
    sentence: (cause) => `The database does not respond, or ended the request: ${messageOf(cause)}. ${again}`,
  },
  {
    is: (cause) => fileCodes.test(String((cause as NodeJS.ErrnoException).code)),
    sentence: (cause) => {
      const { code, path } = cause as NodeJS.ErrnoException
      return path === undefined
        ? `A file cannot be read or written (${code}).`
        : `The file ${path} cannot be read or written (${code}).`
    },
  },
]

/** Errors of a file system: a missing file or right, a full or read-only disk, and a wrong kind of file. */
const fileCodes =
  /^(?:ENOENT|EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EIO|EMFILE|ENFILE|EISDIR|ENOTDIR|EEXIST|ELOOP|ENAMETOOLONG)$/

function messageOf(cause: unknown): string {
  const [{ message, code } = {}] = layersOf(cause)
  return (String(message ?? '') || String(code)).replace(/\.$/, '')
}

/** Returns the sentence of the condition of the surroundings that caused an error; null for a refusal and for a bug. */
export async function sentenceOfSurroundings(cause: unknown): Promise<string | null> {
  if (isOnHold(cause)) return null
  for (const condition of conditions) if (await condition.is(cause)) return condition.sentence(cause)
  return null
}
