import { describe, expect, it } from 'vitest'
import { diagramSvg } from './diagram.ts'

describe('a diagram of the documentation', () => {
  it('a state diagram shows each state exactly once, and one arrow for two triggers between the same states', async () => {
    const svg = await diagramSvg(
      'stateDiagram-v2\n  open --> paid: pay\n  open --> paid: settle\n  open --> ended: end',
    )
    expect(textsOf(svg)).toEqual(['open', 'paid', 'pay', 'settle', 'ended', 'end'])
    expect(svg.match(/class="edge"/g)).toHaveLength(2)
  })

  it('a box of a flowchart shows its label even if only a later line of the flowchart defines the label', async () => {
    const svg = await diagramSvg('flowchart LR\n  a --> b[Operator]\n  a[Buyer] -->|price & tax| b')
    expect(textsOf(svg)).toEqual(['Buyer', 'Operator', 'price &amp; tax'])
  })

  it('a rendered diagram contains no ids, which would collide on a page, and no styles or scripts', async () => {
    expect(await diagramSvg('flowchart TB\n  a --> b')).not.toMatch(/ id=|style|script|<title/)
  })

  it.each([
    ['pie\n  a --> b', 'not with pie'],
    ['flowchart LR\n  a -.-> b', 'cannot be read: a -.-> b'],
    ['stateDiagram-v2\n  a -> b', 'cannot be read: a -> b'],
  ])('the unsupported diagram %j is refused', async (text, error) => {
    await expect(diagramSvg(text)).rejects.toThrow(error)
  })
})

const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text.replaceAll('&#160;', ' ').trim())
