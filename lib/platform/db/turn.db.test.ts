import { expect, it } from 'vitest'
import { db } from './db.ts'
import { takeTurn } from './turn.ts'

it('one process gets the turn, and the next turn begins after its interval', async () => {
  const asked = await Promise.all(Array.from({ length: 8 }, () => takeTurn('test', 60_000)))
  expect(asked.filter(Boolean)).toHaveLength(1)
  expect(await takeTurn('test', 60_000)).toBe(false)
  expect(await takeTurn('another', 60_000)).toBe(true)
  await db().rate_limits.updateMany({ data: { arrival: new Date(Date.now() - 1) } })
  expect(await takeTurn('test', 60_000)).toBe(true)
  expect(await takeTurn('test', 60_000)).toBe(false)
})
