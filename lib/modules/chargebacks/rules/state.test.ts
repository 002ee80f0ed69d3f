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
] as const)('a chargeback in status %s can change to the statuses %j', (from, to) => {
  const moves = chargebackStates.transitions().filter((move) => move.from === from)
  expect(moves.map((move) => move.to)).toEqual(to)
  // Providers and operators set a status by its name, so each trigger must have the name of its target status.
  for (const move of moves) expect(move.trigger).toBe(move.to)
})
