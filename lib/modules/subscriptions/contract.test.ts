import { expect, it } from 'vitest'
import { validateCombination } from './contract.ts'

const alsoSend = {
  subscriptionPlanId: 'With anchor, resetAnchor or trialUntil, also send subscriptionPlanId, quantity or price.',
}
const sendOne = { subscriptionPlanId: 'Send at least one of subscriptionPlanId, quantity, price and metadata.' }

it.each([
  ['metadata alone', { metadata: null }, {}],
  ['a quantity and the end of a trial', { quantity: 3, trialUntil: '2027-01-17T09:30:00Z' }, {}],
  ['no field', {}, sendOne],
  ['only asOf', { asOf: '2027-01-17T09:30:00Z' }, sendOne],
  ['only the end of a trial', { trialUntil: '2027-01-17T09:30:00Z' }, alsoSend],
  ['metadata and the end of a trial', { metadata: {}, trialUntil: '2027-01-17T09:30:00Z' }, alsoSend],
  ['only resetAnchor', { resetAnchor: true }, alsoSend],
])('a change request with %s (%j) has the errors %j', (_, body, errors) => {
  expect(validateCombination(body)).toEqual(errors)
})
