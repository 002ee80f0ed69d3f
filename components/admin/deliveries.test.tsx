import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { deliveryPage } from '@/e2e/fixtures/admin-pages.ts'
import { Delivery } from './deliveries.tsx'

test('the page of a delivery in test mode labels the times of its attempts as real time', () => {
  const shown = (testmode: boolean) =>
    renderToStaticMarkup(
      <Delivery outcome={{ done: null, failed: null }} page={{ ...deliveryPage, testmode }} path="" />,
    )
  expect(shown(true)).toContain('When (real time)')
  expect(shown(false)).toMatch(/When</)
  expect(shown(false)).not.toContain('real time')
})
