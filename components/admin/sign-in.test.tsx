import { NextIntlClientProvider } from 'next-intl'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import en from '@/messages/en.json' with { type: 'json' }
import { ForgottenPassword, NewPassword } from './password.tsx'
import { SignIn } from './sign-in.tsx'

const render = (page: ReactNode) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={en} timeZone="UTC">
      {page}
    </NextIntlClientProvider>,
  )

const focused = (page: ReactNode) => [...render(page).matchAll(/<[^>]* autofocus=""[^>]*>/g)].map(([tag]) => tag)

const newPassword = (problem: string | null) => (
  <NewPassword page={{ state: 'open', email: 'ada@example.com' }} problem={problem} submitUrl="/submit" />
)

it.each([
  ['a refused log-in', <SignIn key="" passkey={{}} state="refused" />, /^<p .*role="alert"/],
  ['a refused passkey', <SignIn key="" passkey={{}} state="passkey-refused" />, /^<p .*role="alert"/],
  ['a log-in while the service is busy', <SignIn key="" passkey={{}} state="busy" />, /^<p .*role="alert"/],
  ['an invalid address', <ForgottenPassword isSent={false} key="" problem="email" />, /^<input .*id="email"/],
  ['a password that is too short', newPassword('password'), /^<input .*id="password"/],
  ['a new password while the service is busy', newPassword('busy'), /^<p .*role="alert"/],
])('after %s, the log-in or password page puts the focus on the problem', (_, page, tag) => {
  expect(focused(page)).toEqual([expect.stringMatching(tag)])
})

it.each([
  ['the log-in', <SignIn key="" passkey={{}} state={null} />],
  ['the log-in after a log-out', <SignIn key="" passkey={{}} state="signed-out" />],
  ['the page for a forgotten password', <ForgottenPassword isSent={false} key="" problem={null} />],
  ['the page for a new password', newPassword(null)],
])('without a problem, %s does not move the focus', (_, page) => {
  expect(focused(page)).toEqual([])
})

it('the log-in page reserves the space of the passkey button if JavaScript is available', () => {
  const room = /<div class="min-h-12 noscript:hidden"><.div><p><a href="[/]admin[/]password">/
  expect(render(<SignIn passkey={{}} state={null} />)).toMatch(room)
})

it('the log-in page and the page for a forgotten password keep the entered email address', () => {
  for (const page of [
    <SignIn key="" passkey={{}} state="refused" typed="ada@example" />,
    <ForgottenPassword isSent={false} key="" problem="email" typed="ada@example" />,
  ])
    expect(render(page)).toMatch(/<input [^>]*name="email"[^>]*value="ada@example"/)
})
