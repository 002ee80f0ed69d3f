import { describe, expect, it } from 'vitest'
import { type KeyScope, keyScopes } from '../../kernel/key-scope.ts'
import { locales } from '../../kernel/locale.ts'
import { read, shown } from '../../testing/email-text.ts'
import { chargebackReasons } from '../chargebacks/rules/reason.ts'
import { compose } from './compose.ts'
import { emailExamples } from './examples.ts'
import { type EmailContent, memberEmailKinds, type SignInChange } from './rules/email.ts'

const { review_decided, chargeback_received, payout_created, renewal_uncollectable } = emailExamples
const emails: EmailContent[] = [
  ...memberEmailKinds.map((kind) => emailExamples[kind]),
  { ...review_decided, rejectionReason: null },
  { ...review_decided, isUpdate: false },
  { ...review_decided, isUpdate: false, rejectionReason: null },
  { ...chargeback_received, needsReview: true },
  { ...chargeback_received, isEvidenceRefused: true },
  { ...chargeback_received, isEvidenceUnreadable: true },
  { ...payout_created, reference: null },
  { ...renewal_uncollectable, method: null, broken: 'unsaved', limit: null },
]

const [at, url] = ['2026-11-24T09:30:00Z', 'https://pay.example.com/admin/sessions']
const signInChanges: readonly SignInChange[] = [
  { of: 'passwordChanged', at, url },
  { of: 'secondFactorSetUp', at, url },
  { of: 'secondFactorRemoved', at },
  { of: 'recoveryCodeUsed', at, url, left: 7 },
  { of: 'recoveryCodeUsed', at, url, left: 3 },
  { of: 'recoveryCodeUsed', at, url, left: 1 },
  { of: 'newBrowser', at, url, address: '203.0.113.9' },
]

describe.each(locales)('emails in the language %s', (locale) => {
  it.each(emails)('an email to a member states the event and links to the admin area: $kind', async (content) => {
    const { subject, text, html } = await compose(content, locale, false)
    const { default: messages } = await import(`../../../messages/${locale}.json`)
    expect(subject).not.toMatch(/[{}]/)
    for (const body of [read(text), read(shown(html))]) {
      expect(body).toContain('Lumen')
      expect(body).toContain(read(messages.emails.members.why.replace('{shop}', 'Lumen')))
      expect(body).not.toContain(read(messages.checkout.about.seller.split('{shop}')[0].split('{seller}')[1]))
      expect(body).not.toMatch(/[{}!]|undefined|\bnull\b/)
      expect(body).toContain('https://pay.example.com/admin/live/storefront_0123456789abcdef')
    }
  })

  it('an invitation email names the inviter and does not mention a sale', async () => {
    const { text, html } = await compose(emailExamples.member_invitation, locale, false)
    for (const body of [read(text), read(shown(html))]) {
      for (const fact of ['Lumen', 'ada@example.com', emailExamples.member_invitation.url]) expect(body).toContain(fact)
      expect(body).toContain('Billhook Demo Seller B.V.\nKeizersgracht 1')
      expect(body).not.toMatch(/[{}!]|undefined|\bnull\b|merchant of record/)
    }
  })

  it('the password reset email links to the form for a new password and says what to do if the reader did not request the link', async () => {
    const { text, html } = await compose(emailExamples.password_reset, locale, false)
    const { default: messages } = await import(`../../../messages/${locale}.json`)
    for (const body of [read(text), read(shown(html))]) {
      for (const fact of ['Lumen', read(messages.emails.passwordReset.next), emailExamples.password_reset.url])
        expect(body).toContain(fact)
      expect(body).not.toMatch(/[{}!]|undefined|\bnull\b/)
    }
  })

  it('the email about a new passkey names the passkey and says what to do if somebody else added it', async () => {
    const { text, html } = await compose(emailExamples.passkey_added, locale, false)
    const { default: messages } = await import(`../../../messages/${locale}.json`)
    for (const body of [read(text), read(shown(html))]) {
      for (const fact of [
        'Lumen',
        'Laptop',
        '2026',
        read(messages.emails.passkeyAdded.next),
        emailExamples.passkey_added.url,
      ])
        expect(body).toContain(fact)
      expect(body).not.toMatch(/[{}!]|undefined|\bnull\b/)
    }
  })

  it.each(signInChanges)('an email about a sign-in change states the event and what to do: $of', async (change) => {
    const { subject, text, html } = await compose({ ...emailExamples.own_access_changed, change }, locale, false)
    const { default: messages } = await import(`../../../messages/${locale}.json`)
    const { subject: expected } = messages.emails.ownAccess.signIn[change.of]
    expect(subject).toBe(expected)
    for (const body of [read(text), read(shown(html))]) {
      for (const fact of ['Lumen', '2026', '09:30', ...('url' in change ? [change.url] : [])])
        expect(body).toContain(fact)
      if ('left' in change) expect(body).toMatch(new RegExp(`\\b${change.left}\\b`))
      if ('address' in change) expect(body).toContain(change.address)
      expect(body).not.toMatch(/[{}!]|undefined|\bnull\b/)
    }
  })

  it('each kind of email to a member has a different text', async () => {
    const composed = await Promise.all(emails.map((content) => compose(content, locale, false)))
    expect(new Set(composed.map(({ text }) => text)).size).toBe(emails.length)
  })
})

it.each(locales)('in the language %s, the email about an issued API key names the scope of the key', async (locale) => {
  const textOf = async (scope: KeyScope) => {
    const change = { of: 'keyIssued', hint: 'sk_live_', scope } as const
    return (await compose({ ...emailExamples.access_changed, change }, locale, false)).text
  }
  const texts = await Promise.all(keyScopes.map(textOf))
  expect(new Set(texts).size).toBe(keyScopes.length)
  for (const text of texts) expect(text).not.toContain('keyScope')
})

it.each(locales)('in the language %s, a dispute email states the reason of the dispute in words', async (locale) => {
  const bodies = await Promise.all(
    chargebackReasons.map(async (reason) => (await compose({ ...chargeback_received, reason }, locale, false)).text),
  )
  expect(new Set(bodies).size).toBe(chargebackReasons.length)
  for (const body of bodies) expect(body).not.toMatch(/\w_\w+_|fraud\n|chargebackReasons/)
  const ofBank = await compose({ ...chargeback_received, reason: 'check_returned' }, locale, false)
  expect(ofBank.text).toContain('Check returned')
})

it.each(locales)(
  'in the language %s, the email about evidence that could not be decrypted differs from the email about refused evidence',
  async (locale) => {
    const words = (content: object) => compose({ ...chargeback_received, ...content } as EmailContent, locale, false)
    const [refused, unreadable] = [
      await words({ isEvidenceRefused: true }),
      await words({ isEvidenceUnreadable: true }),
    ]
    expect(unreadable.subject).not.toBe(refused.subject)
    expect(unreadable.text).not.toBe(refused.text)
    expect(unreadable.text).toContain('INV-2026-000042')
  },
)

it.each(locales)(
  'in the language %s, the email about refused evidence states the deadline for new evidence, if a deadline exists',
  async (locale) => {
    const refused = { ...chargeback_received, isEvidenceRefused: true } as const
    const [dated, undated] = await Promise.all(
      [refused, { ...refused, respondBy: undefined }].map(
        async (content) => (await compose(content as EmailContent, locale, false)).text,
      ),
    )
    expect(dated).toContain('2026')
    expect(undated?.replaceAll('INV-2026-', '')).not.toContain('2026')
    expect(undated).not.toContain('undefined')
  },
)

it('the plain text of an email to a member equals the stored example', async () => {
  const { subject, text } = await compose(emailExamples.chargeback_received, 'en', true)
  expect({ subject, text: read(text) }).toEqual({
    subject: 'Chargeback: invoice INV-2026-000042, €36.30',
    text: `${[
      'Test mode: no real money',
      'Hello,',
      'The buyer’s bank has disputed the payment of invoice INV-2026-000042 from Lumen: €36.30.',
      'Reason: Fraud suspected',
      '€51.30 has been deducted from your balance: €36.30 disputed and €15.00 fee. If we win, €36.30 comes back.',
      'Please send evidence or accept the dispute in the admin area by 15 December 2026 at 00:00 UTC. Without evidence the bank usually decides for the buyer.',
      'Open the admin area\nhttps://pay.example.com/admin/live/storefront_0123456789abcdef',
      'You receive this email because you are a member of the team of Lumen.',
      'Billhook Demo Seller B.V.\nKeizersgracht 1\n1015 CN Amsterdam\nNetherlands\nseller@example.com',
    ].join('\n\n')}\n`,
  })
})
