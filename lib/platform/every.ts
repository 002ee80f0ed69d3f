import type { Outage } from './outage.ts'

/**
 * Runs `work` at an interval, and skips a run while the previous run is unfinished. `failed` gets each error; if
 * `failed` is an `Outage`, it logs only the first of consecutive errors. Returns a function that stops the interval and
 * waits for the current run.
 */
export function every(
  ms: number,
  work: () => Promise<unknown>,
  failed: ((error: unknown) => void) | Outage,
  { atOnce = false } = {},
): () => Promise<void> {
  const [ends, begins] =
    typeof failed === 'function'
      ? [() => undefined, failed]
      : [() => failed.ends(), (error: unknown) => failed.begins(error)]
  let running: Promise<void> | undefined
  const run = () => {
    running ??= work()
      .then(ends, begins)
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
