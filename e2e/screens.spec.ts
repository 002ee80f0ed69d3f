import { problemsOf } from './screens.ts'
import { expect, test } from './test.ts'

test('the checks of a page find problems that exist on only one screen size, and the contrast of pending figures', async ({
  page,
}) => {
  const shown = async (styles: string, content: string) => {
    await page.setContent(`<!doctype html><html lang="en"><title>x</title><style>${styles}</style>${content}`)
    return (await problemsOf(page)).map((problem) => problem.split(': ')[0])
  }
  const onPhone = (styles: string) => `@media (max-width: 600px) { ${styles} }`
  const onDesktop = (styles: string) => `@media (min-width: 601px) { ${styles} }`
  expect(await shown('', '<main><p>Well</p></main>')).toEqual([])
  const button = '<div><button style="padding: 20px"></button></div>'
  expect(await shown(onDesktop('div { display: none }'), button)).toEqual(['button-name'])
  expect(await shown(onPhone('div { display: none }'), button)).toEqual(['button-name'])
  for (const on of [onPhone, onDesktop]) {
    expect(await shown(on('p { color: #ccc }'), '<p>Pale</p>')).toEqual(['color-contrast'])
    expect(await shown(on('main { background: #555 }'), '<main><p>Dark</p></main>')).toEqual(['color-contrast'])
    const links = '<nav><a href="#a">aa</a> <a href="#b">bb</a></nav>'
    expect(await shown(on('a { display: block; font-size: 9px; line-height: 1 }'), links)).toEqual(['target-size'])
  }
  expect(await shown(onPhone('pre { width: 50px; overflow: auto }'), `<pre>${'wide '.repeat(9)}</pre>`)).toEqual([
    'scrollable-region-focusable',
  ])
  const pending = 'color-contrast while a quote is pending'
  const figure = '<p>Total <b class="in-data-asking:pale">100</b></p>'
  expect(await shown('html[data-asking] b { color: #ccc }', figure)).toEqual([pending])
  expect(await shown(onPhone('html[data-asking] b { color: #ccc }'), figure)).toEqual([pending])
  expect(await shown('', '<p style="width: 500px">Wide</p>')).toEqual(['118 px wider than 390 px'])
})
