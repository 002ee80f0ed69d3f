import { expect, it } from 'vitest'
import { type PayoutMove, payoutMoves, payoutStates } from './state.ts'

it.each([
  ['requested', ['exported', 'canceled'], ['cancel']],
  ['exported', ['paid', 'returned'], ['confirm', 'return']],
  ['paid', ['returned'], ['return']],
  ['returned', [], []],
  ['canceled', [], []],
] as const)('the payout status %s can change to %j, and staff can make the changes %j', (from, to, said) => {
  expect(payoutStates.transitions().flatMap((move) => (move.from === from ? move.to : []))).toEqual(to)
  expect(payoutMoves.filter((move: PayoutMove) => payoutStates.can(from, move))).toEqual(said)
})
