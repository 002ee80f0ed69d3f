import { expect, it } from 'vitest'
import { nextQuestion } from './evidence.ts'

const begunAt = new Date('2026-11-23T12:00:00Z')
const after = (minutes: number) => new Date(begunAt.getTime() + minutes * 60_000)

it.each([
  [0, 5],
  [4, 5],
  [5, 10],
  [10, 20],
  [20, 40],
  [40, 80],
  [80, 140],
  [140, 200],
  [199, 200],
  [24 * 60, 24 * 60 + 20],
])('%s minutes after the first question the next one is at minute %s', (elapsed, next) => {
  expect(nextQuestion(begunAt, after(elapsed))).toEqual(after(next))
})

it('ends after 30 days', () => {
  expect(nextQuestion(begunAt, after(30 * 24 * 60 - 1))).not.toBeNull()
  expect(nextQuestion(begunAt, after(30 * 24 * 60))).toBeNull()
})
