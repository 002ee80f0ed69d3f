import { describe, expect, it } from 'vitest'
import { diagramSvg } from './diagram.ts'

describe('a diagram of the documentation', () => {
  it('a diagram of states shows each state once, and one arrow for two triggers', async () => {
    const svg = await diagramSvg(
      'stateDiagram-v2\n  open --> paid: pay\n  open --> paid: settle\n  open --> ended: end',
    )
    expect(textsOf(svg)).toEqual(['open', 'paid', 'pay', 'settle', 'ended', 'end'])
    expect(svg.match(/class="edge"/g)).toHaveLength(2)
  })

  it('a diagram of boxes shows the name of a box at any position of its definition', async () => {
    const svg = await diagramSvg('flowchart LR\n  a --> b[Operator]\n  a[Buyer] -->|price & tax| b')
    expect(textsOf(svg)).toEqual(['Buyer', 'Operator', 'price &amp; tax'])
  })

  it('a picture has neither ids, which two pictures of a page would share, nor styles and scripts', async () => {
    expect(await diagramSvg('flowchart TB\n  a --> b')).not.toMatch(/ id=|style|script|<title/)
  })

  it.each([
    ['pie\n  a --> b', 'not with pie'],
    ['flowchart LR\n  a -.-> b', 'cannot be read: a -.-> b'],
    ['stateDiagram-v2\n  a -> b', 'cannot be read: a -> b'],
  ])('%j is refused', async (text, error) => {
    await expect(diagramSvg(text)).rejects.toThrow(error)
  })
})

const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text.replaceAll('&#160;', ' ').trim())
