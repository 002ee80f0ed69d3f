import { expect, it } from 'vitest'
import { translator } from '../../platform/translate.ts'
import { itemText, reducedText } from './item-text.ts'

it.each([
  [{ name: 'Pro', quantity: 1 }, 'Pro'],
  [{ name: 'Pro', quantity: 12_000 }, '12.000 × Pro'],
  [{ name: 'Pro', quantity: 1_000, of: 12_000 }, '1.000 von 12.000 × Pro'],
])('the withdrawn item %o is written as %s in German', async (item, text) => {
  expect(itemText(await translator('de'), 'de', item)).toBe(text)
})

it('the remaining quantity of a line is formatted in the language of the email', async () => {
  const text = reducedText(await translator('de'), 'de', { name: 'Pro', quantity: 12_000 })
  expect(text).toBe('Pro läuft mit der Menge 12.000 weiter.')
})
