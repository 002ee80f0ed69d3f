import { expect, it } from 'vitest'
import { chargebackStates } from './state.ts'

it.each([
  ['pending', ['evidence_submitted', 'accepted', 'won', 'lost']],
  ['evidence_submitted', ['won', 'lost']],
  ['requires_amount_review', ['accepted', 'rejected']],
  ['accepted', []],
  ['rejected', []],
  ['won', []],
  ['lost', []],
] as const)('a chargeback that is %s can become %s', (from, to) => {
  const moves = chargebackStates.transitions().filter((move) => move.from === from)
  expect(moves.map((move) => move.to)).toEqual(to)
  // The trigger is the name of the status that the provider, or the operator, sets.
  for (const move of moves) expect(move.trigger).toBe(move.to)
})
