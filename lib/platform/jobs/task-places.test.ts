import { expect, it } from 'vitest'
import { TaskPlaces } from './task-places.ts'

it('requests for task slots are served in order of arrival', async () => {
  const places = new TaskPlaces(4)
  const taken: string[] = []
  const take = (name: string, count: number) =>
    places.take(count).then((free) => {
      taken.push(name)
      return free
    })
  const [first, all, last] = [take('first', 3), take('more than there are', 9), take('last', 1)]
  const freeFirst = await first
  expect(taken).toEqual(['first'])
  freeFirst()
  const freeAll = await all
  expect(taken).toEqual(['first', 'more than there are'])
  freeAll()
  await last
  expect(taken).toEqual(['first', 'more than there are', 'last'])
})
