import { takeSnapshot } from './database-snapshot.ts'

/**
 * Returns a function that does the same as `begin`, but runs `begin` only once for each list of arguments. Later
 * calls restore the database to its state after the first call, which is much faster. Every call removes the data of
 * all earlier calls. So a test can use only the result of its last call, and a test file must check the invariants
 * after each test.
 */
export function sameBeginning<Args extends readonly unknown[], Given>(
  begin: (...args: Args) => Promise<Given>,
): (...args: Args) => Promise<Given> {
  const begun = new Map<string, { readonly given: Given; readonly restore: () => Promise<void> }>()
  let empty: (() => Promise<void>) | undefined
  return async (...args) => {
    const key = JSON.stringify(args)
    const known = begun.get(key)
    if (known) {
      await known.restore()
      return known.given
    }
    if (empty) await empty()
    else empty = await takeSnapshot()
    const given = await begin(...args)
    begun.set(key, { given, restore: await takeSnapshot() })
    return given
  }
}
