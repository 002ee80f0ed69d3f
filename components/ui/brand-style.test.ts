import { describe, expect, it } from 'vitest'
import { brandStyle } from './brand-style.ts'

const colors = { accent: '#111111', accentDeep: '#222222', onAccent: '#ffffff', tint: '#eeeeee' }

describe('the style of a brand', () => {
  it('the style of a brand sets the colors of the light and dark schemes on screen, and no colors in print', () => {
    expect(brandStyle({ light: colors, dark: { ...colors, accent: '#999999' } })).toBe(
      '@media screen{:root{--color-accent:#111111;--color-accent-deep:#222222;--color-on-accent:#ffffff;--color-tint:#eeeeee;}' +
        '@media (prefers-color-scheme:dark){:root{--color-accent:#999999;--color-accent-deep:#222222;--color-on-accent:#ffffff;--color-tint:#eeeeee;}}}',
    )
  })

  it.each(['red;}*{display:none', '</style><script>', '#12345g', 'url(//evil.example)', '#1111111', '', '#FFFFFF'])(
    'the style of a brand leaves out the invalid color %j',
    (accent) => {
      const style = brandStyle({ light: { ...colors, accent }, dark: colors })
      expect(style).toMatch(/^@media screen\{:root\{--color-accent-deep:#222222;/)
      expect(style.replace('(prefers-color-scheme:dark)', '')).not.toMatch(/[<>()*]|script|url/)
    },
  )
})
