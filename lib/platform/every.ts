/**
 * Runs `work` at an interval, one run at a time: a run that is due during another one is left out. What it throws goes to
 * `failed`. With `atOnce` the first run begins now. Returns how to stop; that waits for a run in progress.
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
