/**
 * Settles as `work` does, or rejects if that takes longer than `ms` of real time. The work itself continues, and its
 * outcome is ignored.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer))
}
