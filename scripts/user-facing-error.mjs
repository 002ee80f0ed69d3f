// @ts-check
import { userInfo } from 'node:os'

/** An error whose message is printed as one sentence without a stack trace. The exit code is 1. */
export class UserFacingError extends Error {
  /** @override */
  name = 'UserFacingError'
}

/**
 * If the user of this process has no access to a file, returns an error that names the file and the user. Returns any other error
 * unchanged.
 * @param {unknown} error
 */
export function withoutAccess(error) {
  const { code, path: file } = /** @type {NodeJS.ErrnoException} */ (error ?? {})
  if ((code !== 'EACCES' && code !== 'EPERM') || typeof file !== 'string') return error
  return new UserFacingError(
    `The user ${currentUser()} has no access to ${file} (${code}). Run this command as the user of the service. ` +
      'docs/production.md (Shell) describes how to get a shell as this user.',
  )
}

function currentUser() {
  try {
    return userInfo().username
  } catch {
    return `with the id ${process.getuid?.()}`
  }
}

/**
 * Any error is printed to stderr, and the exit code is 1. If the reader of the output, such as `head`, closes the pipe
 * early, the command still runs to its end, without the rest of the output.
 * @param {() => Promise<unknown>} main
 */
export function command(main) {
  process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code === 'EPIPE' || process.exitCode === 1) return
    console.error(`The output cannot be written: ${error.message}.`)
    process.exitCode = 1
  })
  process.stderr.on('error', () => undefined)
  main().catch((error) => {
    const shown = withoutAccess(error)
    console.error(shown instanceof UserFacingError ? shown.message : shown)
    process.exit(1)
  })
}
