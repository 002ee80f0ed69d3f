/** Rejects after `ms` of real time or when `giveUp` aborts. The work continues, and its result is ignored. */
export async function within<T>(ms: number, work: Promise<T>, giveUp?: AbortSignal): Promise<T> {
  let end = () => {}
  const tooLate = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error(`no response within ${ms} ms`)), ms)
    const givenUp = () => reject(giveUp?.reason)
    giveUp?.addEventListener('abort', givenUp)
    end = () => {
      clearTimeout(timer)
      giveUp?.removeEventListener('abort', givenUp)
    }
  })
  return Promise.race([work, tooLate]).finally(end)
}
