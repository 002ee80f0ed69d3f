import path from 'node:path'
import { poolerProblem } from '../platform/db/requirements.mjs'
import { isOnHold, isReadOnly, isUnavailable, lacksTables, layersOf } from '../platform/db/unavailable.ts'
import { reasonOf, ServiceFailure } from '../platform/outbound/service-failure.ts'

/** A failure of the database, of an external service, or of the file system. The failure ends the command, but is not a bug. */
interface EnvironmentFailure {
  is(cause: unknown): boolean | Promise<boolean>
  /** Returns one sentence or two, which say what the operator can do. */
  sentence(cause: unknown): string | Promise<string>
}

const again = 'Check whether the command took effect, and run it again.'

/** The first entry that matches the error determines the sentence. */
const failures: readonly EnvironmentFailure[] = [
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
    is: (cause) => isUnavailable(cause) && !layersOf(cause).some(({ code }) => ownStatements.test(String(code))),
    sentence: (cause) => `The database does not respond, or ended the request: ${messageOf(cause)}. ${again}`,
  },
  {
    is: (cause) => {
      const { code = '', path: file } = cause as NodeJS.ErrnoException
      return fileCodes.test(code) || (wrongPaths.test(code) && file !== undefined && isOutside(file))
    },
    sentence: (cause) => {
      const { code, path: file } = cause as NodeJS.ErrnoException
      return file === undefined
        ? `A file cannot be read or written (${code}).`
        : `The file ${file} cannot be read or written (${code}).`
    },
  },
]

/**
 * A canceled statement (57014), such as a slow statement, or a deadlock (40P01). Such an error counts as a bug, because
 * only the stack trace shows where the cause is.
 */
const ownStatements = /^(?:57014|40P01)$/

/** Errors of a file system, such as a missing permission or a full or read-only disk. */
const fileCodes = /^(?:EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EIO|EMFILE|ENFILE|EEXIST|ELOOP|ENAMETOOLONG)$/

/** A missing file, and a wrong kind of file. Inside the folder of the installation, such an error is a bug, because the operator does not choose these paths. */
const wrongPaths = /^(?:ENOENT|EISDIR|ENOTDIR)$/

const isOutside = (file: string) => path.relative(process.cwd(), file).split(path.sep)[0] === '..'

function messageOf(cause: unknown): string {
  const [{ message, code } = {}] = layersOf(cause)
  return (String(message ?? '') || String(code)).replace(/\.$/, '')
}

/**
 * If the environment caused the error, returns the sentence about this failure. Returns null for a refusal and for a bug.
 */
export async function describeEnvironmentFailure(cause: unknown): Promise<string | null> {
  if (isOnHold(cause)) return null
  for (const failure of failures) if (await failure.is(cause)) return failure.sentence(cause)
  return null
}
