import { describe, expect, it } from 'vitest'
import { day, dayAndTime } from '../../kernel/format.ts'
import { locales } from '../../kernel/locale.ts'
import { read } from '../../testing/email-text.ts'
import { compose } from './compose.ts'
import { emailExamples } from './examples.ts'

describe.each(locales)('emails in the language %s', (locale) => {
  it('the cancellation email states the cancellation time, the last day, and how to undo the cancellation', async () => {
    const content = emailExamples.cancellation
    const { subject, text, html } = await compose(content, locale, false)
    expect(subject).toContain('Pro')
    const moments = [
      day(content.endsAt, locale),
      dayAndTime(content.endsAt, locale),
      dayAndTime(content.canceledAt, locale),
    ]
    for (const words of [...moments, 'Pro', 'Lumen', content.portalUrl]) expect(read(text)).toContain(read(words))
    expect(html.split(`href="${content.portalUrl}"`)).toHaveLength(3)
    expect(text).not.toMatch(/[{}!]|undefined|emails\./)
  })

  it('the email about a missing payment method states the cause, the next charge, and a link', async () => {
    const texts = await Promise.all(
      (['disputed', 'unsaved'] as const).map(async (cause) => {
        const content = { ...emailExamples.payment_method_missing, cause }
        const { subject, text } = await compose(content, locale, false)
        expect(subject).toContain('Pro')
        for (const words of ['Pro', 'Lumen', '12', day(content.nextCharge.at, locale), content.updateUrl])
          expect(read(text)).toContain(read(words))
        expect(text).not.toMatch(/[{}!]|undefined|emails\./)
        return text
      }),
    )
    expect(texts[0]).not.toBe(texts[1])
  })

  it('the email about the end of a subscription has no link', async () => {
    const { subject, text, html } = await compose(emailExamples.subscription_ended, locale, false)
    expect(subject).toContain('Pro')
    expect(text).toContain('Lumen')
    expect(text + html).not.toMatch(/https?:|[{}!][^<]*\n\n|undefined|emails\./)
  })
})
