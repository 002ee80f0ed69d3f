import { expect, it } from 'vitest'
import { Busy } from '../../platform/work-queue.ts'
import { Documents } from './documents.ts'
import type { InvoiceDocument } from './page.ts'

const document = (number: string) => ({ number }) as InvoiceDocument
const text = ({ bytes }: { bytes: Uint8Array }) => new TextDecoder().decode(bytes)

function documentsWithFakeDrawing(mostBytes = 1_000) {
  const drawn: string[] = []
  const ends: (() => void)[] = []
  let atOnce = 0
  let most = 0
  const documents = new Documents(
    {
      async draw(of) {
        const number = 'number' in of ? of.number : of.title
        drawn.push(number)
        most = Math.max(most, ++atOnce)
        await new Promise<void>((resolve) => ends.push(resolve))
        atOnce--
        if (number === 'broken') throw new Error('no ink')
        return new TextEncoder().encode(number.padEnd(10))
      },
      close: async () => undefined,
    },
    { mostBytes },
  )
  const get = (number: string, storefrontId = 'a') => documents.get(document(number), storefrontId)
  const finish = async () => {
    for (let idle = 0; idle < 3; idle++) {
      await new Promise((resolve) => setImmediate(resolve))
      for (const end of ends.splice(0)) {
        end()
        idle = 0
      }
    }
  }
  return { drawn, documents, get, finish, most: () => most }
}

it('a PDF is drawn once for concurrent and later requests', async () => {
  const { drawn, get, finish } = documentsWithFakeDrawing()
  const asked = Array.from({ length: 60 }, () => get('1'))
  await finish()
  const all = await Promise.all(asked)
  expect(new Set(all).size).toBe(1)
  expect(text(await get('1'))).toBe('1         ')
  expect(drawn).toEqual(['1'])
})

it('PDFs with different content are drawn separately and have different ETags', async () => {
  const { drawn, get, finish } = documentsWithFakeDrawing()
  const [first, second] = [get('1'), get('2')]
  await finish()
  expect((await first).etag).not.toBe((await second).etag)
  expect(drawn).toEqual(['1', '2'])
})

it('at most two PDFs are drawn at the same time', async () => {
  const { get, finish, most } = documentsWithFakeDrawing()
  const asked = ['1', '2', '3', '4', '5'].map((number) => get(number))
  await finish()
  expect((await Promise.all(asked)).map(text).map((each) => each.trim())).toEqual(['1', '2', '3', '4', '5'])
  expect(most()).toBe(2)
})

it('the least recently used PDFs are evicted when the cache exceeds its size', async () => {
  const { drawn, get, finish } = documentsWithFakeDrawing(20)
  for (const number of ['1', '2', '1', '3', '1', '2']) {
    const asked = get(number)
    await finish()
    await asked
  }
  expect(drawn).toEqual(['1', '2', '3', '2'])
})

it('one storefront cannot fill the whole queue of PDFs', async () => {
  const { get, finish } = documentsWithFakeDrawing()
  const asked = Array.from({ length: 100 }, (_, number) => get(String(number)).catch((error: unknown) => error))
  const other = get('other', 'b')
  await finish()
  const ends = await Promise.all(asked)
  expect(ends.filter((end) => end instanceof Busy)).toHaveLength(38)
  expect(text(await other)).toBe('other     ')
})

it('a PDF is drawn again at the next request if the drawing failed', async () => {
  const { drawn, get, finish } = documentsWithFakeDrawing()
  for (let time = 0; time < 2; time++) {
    const refused = expect(get('broken')).rejects.toThrow('no ink')
    await finish()
    await refused
  }
  expect(drawn).toEqual(['broken', 'broken'])
})

it('closing the queue of PDFs refuses the waiting requests', async () => {
  const { drawn, documents, get, finish } = documentsWithFakeDrawing()
  const asked = ['1', '2', '3'].map((number) => get(number).catch((error: unknown) => error))
  await documents.close()
  await finish()
  expect((await Promise.all(asked)).map((end) => end instanceof Busy)).toEqual([false, false, true])
  expect(drawn).toEqual(['1', '2'])
})
