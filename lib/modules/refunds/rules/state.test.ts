import { expect, it } from 'vitest'
import { refundStates } from './state.ts'

it.each([
  ['pending', ['canceled', 'queued']],
  ['queued', ['canceled', 'processing']],
  ['processing', ['refunded', 'failed']],
  ['refunded', []],
  ['failed', []],
  ['canceled', []],
] as const)('a refund in status %s can change to %j', (from, to) => {
  const moves = refundStates.transitions().filter((move) => move.from === from)
  expect(moves.map((move) => move.to)).toEqual(to)
})
