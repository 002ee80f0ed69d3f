/**
 * Loads Next and gives `Date` back afterwards. Next puts a function in its place that looks whether a page is being
 * rendered ahead of time with `cacheComponents`, which this service does not use: each date that is read from the
 * database would pass through it.
 */
export async function withDateKept<T>(load: () => Promise<T>): Promise<T> {
  const kept = Date
  try {
    return await load()
  } finally {
    globalThis.Date = kept
    kept.prototype.constructor = kept
  }
}
