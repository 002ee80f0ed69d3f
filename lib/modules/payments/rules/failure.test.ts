import { expect, it } from 'vitest'
import { failureReasons } from './failure.ts'

// Clients send and receive these values, so a change breaks clients.
it('the failure reasons are exactly the reasons of the API, temporary reasons first', () => {
  expect(failureReasons).toEqual([
    'insufficient_funds',
    'temporary_decline',
    'general_failure',
    'invalid_mandate',
    'mandate_canceled',
    'account_closed',
    'card_expired',
    'card_lost_or_stolen',
    'invalid_card_details',
    'authentication_failed',
    'fraud_suspected',
  ])
})
