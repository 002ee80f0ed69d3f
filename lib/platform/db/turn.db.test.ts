import { expect, it } from 'vitest'
import { db } from './db.ts'
import { inTurn, takeTurn } from './turn.ts'

it('takeTurn returns true for one call per interval', async () => {
  const asked = await Promise.all(Array.from({ length: 8 }, () => takeTurn('test', 60_000)))
  expect(asked.filter(Boolean)).toHaveLength(1)
  expect(await takeTurn('test', 60_000)).toBe(false)
  expect(await takeTurn('another', 60_000)).toBe(true)
  await db().rate_limits.updateMany({ data: { arrival: new Date(Date.now() - 1) } })
  expect(await takeTurn('test', 60_000)).toBe(true)
  expect(await takeTurn('test', 60_000)).toBe(false)
})

it('inTurn refuses concurrent work with the same name, and runs new work after a success or a failure', async () => {
  const inner = await inTurn('work', 60_000, async () => [await inTurn('work', 60_000, async () => 'second'), 'first'])
  expect(inner).toEqual([null, 'first'])
  await expect(inTurn('work', 60_000, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await inTurn('work', 60_000, async () => 'third')).toBe('third')
})
