/** What `work` comes to, or an error when that takes longer than `ms` of real time. The work itself goes on unheard. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer))
}
