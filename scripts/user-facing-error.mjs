// @ts-check

/** What stops a command and is not a bug: shown as this one sentence, without a stack, and the exit code is 1. */
export class UserFacingError extends Error {
  /** @override */
  name = 'Sentence'
}

/**
 * Runs a command's main function; whatever stops it is told on stderr and ends the process with 1.
 * @param {() => Promise<unknown>} main
 */
export function command(main) {
  main().catch((error) => {
    console.error(error instanceof UserFacingError ? error.message : error)
    process.exit(1)
  })
}
