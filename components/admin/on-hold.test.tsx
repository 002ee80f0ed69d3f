import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { KeyRow } from '@/lib/modules/accounts/page.ts'
import { Brand } from './brand.tsx'
import { StateOfStorefront } from './frame.tsx'
import { Keys } from './keys.tsx'
import { Suspension } from './suspension.tsx'

const outcome = { done: null, failed: null }
const buttons = (page: ReactNode) =>
  [...renderToStaticMarkup(page).matchAll(/<button[^>]* value="(\w+)"/g)].map(([, value]) => value)

const brand = (isOnHold: boolean) => {
  const values = { displayName: 'Lumen', accent: '', supportEmail: '', supportUrl: '', termsUrl: '', privacyUrl: '' }
  return (
    <Brand outcome={outcome} page={{ values, problems: {}, storefrontName: 'Shop', logo: null, isOnHold }} path="" />
  )
}
const keys = (isOnHold: boolean) => {
  const never = { lastUsedAt: null, expiresAt: null, revokedAt: null }
  const row: KeyRow = {
    id: 'key_1',
    hint: 'test_abc',
    name: 'Shop backend',
    isOver: false,
    scope: 'full',
    mayReplace: true,
    createdAt: '2026-11-27T00:00:00Z',
    ...never,
  }
  const page = {
    keys: [row],
    scopes: ['full'] as const,
    issued: null,
    typed: {},
    needsCode: false,
    expiresIn: '',
    problems: {},
    formKey: '',
    isOnHold,
  }
  return <Keys outcome={outcome} page={page} path="" />
}
const suspension = (isOnHold: boolean) => {
  const none = { active: 0, monthly: [] }
  const page = { suspension: null, reason: '', problem: null, renewals: { test: none, live: none }, formKey: '' }
  return <Suspension outcome={outcome} page={{ ...page, isOnHold }} path="" />
}

describe('pages of a storefront on hold', () => {
  test.each([
    ['the brand', brand, ['preview', 'save'], []],
    ['the keys', keys, ['rename', 'rotate', 'revoke', 'issue'], ['revoke']],
    ['the suspension', suspension, ['suspend'], []],
  ])(
    'while a storefront is on hold, the page of %s shows no form that the server would refuse',
    (_, page, otherwise, onHold) => {
      expect(buttons(page(false))).toEqual(otherwise)
      expect(buttons(page(true))).toEqual(onHold)
      expect(renderToStaticMarkup(page(true))).toContain('while the storefront is on hold')
    },
  )

  test('the page of API keys does not refer to the form for a new key while the storefront is on hold', () => {
    const never = {
      keys: [],
      scopes: [],
      issued: null,
      typed: {},
      needsCode: false,
      expiresIn: '',
      problems: {},
      formKey: '',
    }
    const shown = (isOnHold: boolean) =>
      renderToStaticMarkup(<Keys outcome={outcome} page={{ ...never, isOnHold }} path="" />)
    expect(shown(false)).toContain('No API keys yet. Issue a key below')
    expect(shown(true)).toContain('No API keys.')
    expect(shown(true)).not.toContain('below')
  })

  test('the brand page of a storefront on hold shows the saved brand', () => {
    expect(renderToStaticMarkup(brand(true))).toContain('Lumen')
  })

  test('every page of a storefront on hold states the hold, even during a suspension', () => {
    const since = '2026-11-26T00:00:00Z'
    const storefront = {
      name: 'Shop',
      merchant: 'Acme',
      mode: 'live' as const,
      path: '/admin/live/1',
      groups: [],
      testOnly: [],
      now: '2026-11-27T00:00:00Z',
      mayAdvance: false,
      suspension: { since, reason: 'Fraud' },
    }
    const shown = (heldAt: string | null) => renderToStaticMarkup(<StateOfStorefront {...storefront} heldAt={heldAt} />)
    expect(shown(since)).toMatch(/is on hold.*is suspended.*Fraud/)
    expect(shown(since)).toMatch(/it sells nothing, charges nothing, .*revoke API keys/)
    expect(shown(null)).not.toContain('on hold')
  })
})
