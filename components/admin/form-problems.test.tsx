import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { FormProblems } from './form-problems.tsx'

const labels = { name: 'Name', 'basePrice.value': 'Price in EUR', enabledEvents: 'Events' }
const render = (problems: Record<string, string | null>) =>
  renderToStaticMarkup(<FormProblems form="item" labels={labels} problems={problems} />)

const entriesOf = (html: string) =>
  [...html.matchAll(/<a [^>]*href="([^"]*)">([^<]*)</g)].map(([, to, text]) => [to, text])

it('a form without problems has no error summary', () => {
  expect(render({})).toBe('')
  expect(render({ name: null })).toBe('')
})

it('the error summary takes the focus, counts the problems, and links to the fields by their labels', () => {
  const html = render({ name: 'Must not be empty.', 'basePrice.value': 'Must be an amount.' })
  expect(html).toMatch(/<section(?=[^>]* autofocus)(?=[^>]* id="problems")(?=[^>]* tabindex="-1")/)
  expect(html).toContain('2 fields need another look')
  expect(entriesOf(html)).toEqual([
    ['#name', 'Name: Must not be empty.'],
    ['#basePrice.value', 'Price in EUR: Must be an amount.'],
  ])
})

it('the error summary has one link for each field with problems, and one link to the form for problems without a field', () => {
  const problems = {
    basePrice: 'Is missing.',
    'enabledEvents.2': 'Is unknown.',
    'basePrice.value': 'Must be an amount.',
  }
  expect(entriesOf(render({ ...problems, kind: 'Must stay.', mode: 'Must be live.' }))).toEqual([
    ['#basePrice.value', 'Price in EUR: Is missing. Must be an amount.'],
    ['#enabledEvents', 'Events: Is unknown.'],
    ['#item', 'Must stay. Must be live.'],
  ])
})
