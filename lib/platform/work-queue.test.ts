import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, it } from 'vitest'
import { Busy, WorkQueue } from './work-queue.ts'

const limits = { atOnce: 2, most: 4, mostOfOne: 3, retryAfterSeconds: 5 }

function workshop(queue: WorkQueue) {
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const ask = (party: string, name: string) =>
    queue.run(party, () => {
      begun.push(name)
      return new Promise<string>((resolve, reject) =>
        ends.set(name, (error) => (error ? reject(error) : resolve(`${name} is done`))),
      )
    })
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { begun, ask, end }
}

it('queued work runs in the async context of its caller', async () => {
  const queue = new WorkQueue({ ...limits, atOnce: 1 })
  const context = new AsyncLocalStorage<string>()
  const ask = (name: string) => context.run(name, () => queue.run('a', async () => context.getStore()))
  expect(await Promise.all([ask('first'), ask('second')])).toEqual(['first', 'second'])
})

it('a work queue limits concurrency and starts queued work in order of arrival', async () => {
  const { begun, ask, end } = workshop(new WorkQueue(limits))
  const [first, , third] = ['1', '2', '3', '4'].map((name) => ask('a', name))
  expect(begun).toEqual(['1', '2'])
  await end('1')
  expect(await first).toBe('1 is done')
  expect(begun).toEqual(['1', '2', '3'])
  await end('2')
  await end('3')
  expect(await third).toBe('3 is done')
  expect(begun).toEqual(['1', '2', '3', '4'])
})

it('a work queue starts work of each waiting party in turn', async () => {
  const { begun, ask, end } = workshop(new WorkQueue(limits))
  for (const [party, name] of ['aA', 'aB', 'a1', 'a2', 'a3', 'b1'].map((each) => [each[0] ?? '', each]))
    void ask(party ?? '', name ?? '')
  for (const name of ['aA', 'aB', 'a1', 'b1', 'a2']) await end(name)
  expect(begun).toEqual(['aA', 'aB', 'a1', 'b1', 'a2', 'a3'])
})

it('a party that has reached its limit in a work queue does not delay the work of other parties', async () => {
  const { begun, ask, end } = workshop(new WorkQueue({ ...limits, atOnce: 4, atOnceOfOne: 2 }))
  for (const name of ['a1', 'a2', 'a3', 'a4']) void ask('a', name)
  expect(begun).toEqual(['a1', 'a2'])
  for (const name of ['b1', 'b2', 'b3']) void ask('b', name)
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2'])
  await end('b1')
  await end('b2')
  await end('b3')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'b3'])
  await end('a1')
  await end('a2')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'b3', 'a3', 'a4'])
})

it('a work queue refuses work above its total limit and above the limit per party', async () => {
  const { begun, ask, end } = workshop(new WorkQueue(limits))
  for (const name of ['1', '2', '3', '4', '5']) void ask('a', name)
  await expect(ask('a', '6')).rejects.toEqual(new Busy(5))
  void ask('b', '7')
  await expect(ask('c', '8')).rejects.toMatchObject({ name: 'Busy', retryAfterSeconds: 5 })
  await end('1')
  void ask('a', '9')
  for (const name of ['2', '3', '7', '4', '5', '9']) await end(name)
  expect(begun.toSorted()).toEqual(['1', '2', '3', '4', '5', '7', '9'])
})

it('a work queue starts the next work after a failure', async () => {
  const { begun, ask, end } = workshop(new WorkQueue({ ...limits, atOnce: 1 }))
  const first = ask('a', '1')
  const second = ask('a', '2')
  first.catch(() => undefined)
  await end('1', new Error('broken'))
  await expect(first).rejects.toThrow('broken')
  await end('2')
  expect(await second).toBe('2 is done')
  expect(begun).toEqual(['1', '2'])
})

it('closing a work queue rejects queued work and lets running work finish', async () => {
  const queue = new WorkQueue({ ...limits, atOnce: 1 })
  const { ask, end } = workshop(queue)
  const [first, second] = [ask('a', '1'), ask('a', '2')]
  queue.clear()
  await expect(second).rejects.toThrow(Busy)
  await end('1')
  expect(await first).toBe('1 is done')
})
