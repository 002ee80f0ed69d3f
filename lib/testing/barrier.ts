export function barrier(n: number): () => Promise<void> {
  let come = 0
  let open = () => {}
  const all = new Promise<void>((resolve) => {
    open = resolve
  })
  return async () => {
    come++
    if (come >= n) open()
    await all
  }
}
