import { AsyncLocalStorage } from 'node:async_hooks'

type Loaded = Map<string, Promise<unknown>>

// The bundles of the server and of the pages share the storage through the global object.
const shared = globalThis as typeof globalThis & { billhookPageRequest?: AsyncLocalStorage<Loaded> }

function storage(): AsyncLocalStorage<Loaded> {
  shared.billhookPageRequest ??= new AsyncLocalStorage()
  return shared.billhookPageRequest
}

/** Handles one page request. During `answer`, `oncePerRequest` runs each load once per key. */
export const inPageRequest = <Result>(answer: () => Result): Result => storage().run(new Map(), answer)

/**
 * Runs `load` once per page request and key. Outside a page request (`npm run dev`, tests), each call runs `load`. The result must be plain
 * data, because the bundles of the server and of the pages have different copies of a class.
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
