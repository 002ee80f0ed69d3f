import { expect, it } from 'vitest'
import { failureReasons } from './failure.ts'

// Clients send these values, and events carry them.
it('the failure reasons are those of the API, temporary reasons first', () => {
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
