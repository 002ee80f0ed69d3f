// @ts-check

/** Shown as one sentence without a stack, and the exit code is 1. */
export class UserFacingError extends Error {
  /** @override */
  name = 'UserFacingError'
}

/**
 * Runs a command's main function. Any error is written to stderr and ends the process with 1.
 * @param {() => Promise<unknown>} main
 */
export function command(main) {
  main().catch((error) => {
    console.error(error instanceof UserFacingError ? error.message : error)
    process.exit(1)
  })
}
