import { NextRequest } from 'next/server'
import { describe, expect, it, vi } from 'vitest'
import { config, readConfig } from '@/lib/platform/config.ts'
import { proxy } from '@/proxy.ts'

const environment = { DATABASE_URL: 'postgresql://none', SECRET_KEY: 'x'.repeat(32) }
const production = {
  ...environment,
  BILLHOOK_ENV: 'production',
  PUBLIC_BASE_URL: 'https://pay.example.com',
  SELLER_NAME: 'Seller',
  SELLER_STREET: 'A 1',
  SELLER_POSTAL_CODE: '1',
  SELLER_CITY: 'B',
  SELLER_VAT_ID: 'C',
}

vi.mock('@/lib/platform/config.ts', async (actual) => {
  const { readConfig, ...others } = await actual<typeof import('@/lib/platform/config.ts')>()
  const read = readConfig({ DATABASE_URL: 'postgresql://none', SECRET_KEY: 'x'.repeat(32) })
  return { ...others, readConfig, config: () => read }
})

/** What a page of a service with these variables says of TLS. It asks no database: these pages are of no record. */
async function transportSecurity(variables: Record<string, string>, path: string): Promise<string | null> {
  Object.assign(config(), readConfig(variables))
  const answer = await proxy(new NextRequest(`http://127.0.0.1:3000${path}`))
  return answer.headers.get('strict-transport-security')
}

describe('Strict-Transport-Security', () => {
  it.each(['/', '/docs', '/nothing-here'])('binds browsers to TLS for a year in production, on %s', async (path) => {
    expect(await transportSecurity(production, path)).toBe('max-age=31536000')
  })

  it('goes by the public address, also in development: behind a proxy our own connection is plain', async () => {
    const variables = { ...environment, PUBLIC_BASE_URL: 'https://pay.example.com' }
    expect(await transportSecurity(variables, '/')).toBe('max-age=31536000')
  })

  it.each([{}, { PUBLIC_BASE_URL: 'http://localhost:3000' }, { PUBLIC_BASE_URL: 'http://127.0.0.1:3000' }])(
    'is absent over plain http on this machine: %j',
    async (more) => {
      expect(await transportSecurity({ ...environment, ...more }, '/')).toBeNull()
    },
  )

  it('cannot be absent in production, whose address must be https', () => {
    expect(() => readConfig({ ...production, PUBLIC_BASE_URL: 'http://localhost:3000' })).toThrow('PUBLIC_BASE_URL')
  })
})
