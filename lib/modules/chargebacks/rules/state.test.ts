import { expect, it } from 'vitest'
import { type ChargebackStatus, chargebackStates, lostStatuses, openStatuses, statusesAtBank } from './state.ts'

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

it.each<[ChargebackStatus, { isOpen: boolean; isAtBank: boolean; isLost: boolean }]>([
  ['requires_amount_review', { isOpen: true, isAtBank: false, isLost: false }],
  ['pending', { isOpen: true, isAtBank: true, isLost: false }],
  ['evidence_submitted', { isOpen: true, isAtBank: true, isLost: false }],
  ['accepted', { isOpen: false, isAtBank: false, isLost: true }],
  ['lost', { isOpen: false, isAtBank: false, isLost: true }],
  ['rejected', { isOpen: false, isAtBank: false, isLost: false }],
  ['won', { isOpen: false, isAtBank: false, isLost: false }],
])('a chargeback in status %s belongs to the status groups %j', (status, expected) => {
  const has = (statuses: readonly ChargebackStatus[]) => statuses.includes(status)
  expect({ isOpen: has(openStatuses), isAtBank: has(statusesAtBank), isLost: has(lostStatuses) }).toEqual(expected)
})

it('a chargeback can leave every open status, and no other status', () => {
  const changing = chargebackStates.states.filter((status) => !chargebackStates.isFinal(status))
  expect([...openStatuses].sort()).toEqual(changing.sort())
})
