import { AsyncLocalStorage } from 'node:async_hooks'

type Loaded = Map<string, Promise<unknown>>

// The server's bundle and the pages' bundles share the storage through the global object.
const shared = globalThis as typeof globalThis & { billhookPageRequest?: AsyncLocalStorage<Loaded> }

function storage(): AsyncLocalStorage<Loaded> {
  shared.billhookPageRequest ??= new AsyncLocalStorage()
  return shared.billhookPageRequest
}

/** Loads with the same key inside run once. */
export const inPageRequest = <Result>(answer: () => Result): Result => storage().run(new Map(), answer)

/**
 * Runs `load` once per page request and key. The result must be plain data, because a class in one bundle differs from
 * the same class in the other. Outside a page request (`npm run dev`, tests) `load` runs each time.
 */
export function oncePerRequest<Result>(key: string, load: () => Promise<Result>): Promise<Result> {
  const loaded = storage().getStore()
  if (!loaded) return load()
  const known = loaded.get(key) as Promise<Result> | undefined
  if (known) return known
  const loading = load()
  loaded.set(key, loading)
  return loading
}
