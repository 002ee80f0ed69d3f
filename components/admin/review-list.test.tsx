import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ReviewList } from './review-list.tsx'

const html = (done: string | null, failed: string | null) =>
  renderToStaticMarkup(
    <ReviewList outcome={{ done, failed }} page={{ rows: [], count: 0, exportUrl: '/admin/export/reviews' }} />,
  )

test('the list of reviews shows the result of a decision as fixed text, and never text from the URL', () => {
  expect(html('planInUse', null)).toContain('The update could not be approved, so it was rejected')
  expect(html(null, 'product_not_reviewable')).toContain('This item has no pending review.')
  for (const text of ['product_not_reviewable', 'Call +1 555 0100', 'constructor'])
    expect(html(text, text)).not.toContain(text)
})
