/**
 * Runs `work` at an interval and skips a run while the previous run is unfinished. Errors go to `failed`. Returns a function that stops the interval and waits
 * for the current run.
 */
export function every(
  ms: number,
  work: () => Promise<unknown>,
  failed: (error: unknown) => void,
  { atOnce = false } = {},
): () => Promise<void> {
  let running: Promise<void> | undefined
  const run = () => {
    running ??= work()
      .then(() => undefined, failed)
      .finally(() => {
        running = undefined
      })
  }
  if (atOnce) run()
  const timer = setInterval(run, ms)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
