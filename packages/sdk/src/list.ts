import type { List, Page } from './types.ts'

type Cursor = Readonly<Record<string, unknown>>

export function listOf<T>(read: (query: Cursor) => Promise<Page<T>>, query: Cursor): List<T> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: `await` of a list reads one page
    then: (resolved, rejected) => read(query).then(resolved, rejected),
    async *[Symbol.asyncIterator]() {
      if (query.endingBefore) throw new TypeError('A list is read from newest to oldest: use startingAfter.')
      let next: Cursor | null = { limit: 100, ...query }
      while (next) {
        const { data, links }: Page<T> = await read(next)
        yield* data
        // The link to the next page has the public URL of the service, which can differ from `baseUrl`. So the SDK uses the id of the last item as the cursor.
        const last = data.at(-1) as { id: string } | undefined
        next = links.next && last ? { ...next, startingAfter: last.id } : null
      }
    },
  }
}
