import { expect, it } from 'vitest'
import { aGate } from '../../testing/gate.ts'
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

it('work that lasts longer than its turn does not end the turn that another process has taken in the meantime', async () => {
  const first = aGate()
  const second = aGate()
  const began = aGate()
  const late = inTurn('slow', 60_000, () => first.opened)
  await expect.poll(() => db().rate_limits.count({ where: { key: 'turn slow' } })).toBe(1)
  await db().rate_limits.updateMany({ where: { key: 'turn slow' }, data: { arrival: new Date(Date.now() - 1) } })
  const next = inTurn('slow', 60_000, async () => {
    began.open()
    await second.opened
  })
  await began.opened
  first.open()
  await late
  expect(await inTurn('slow', 60_000, async () => 'third')).toBeNull()
  second.open()
  await next
  expect(await inTurn('slow', 60_000, async () => 'fourth')).toBe('fourth')
})
