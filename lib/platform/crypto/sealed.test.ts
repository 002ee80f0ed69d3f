import { beforeEach, describe, expect, it, vi } from 'vitest'
import { linkToken, openLinkToken, seal, unseal } from './sealed.ts'

const keys = vi.hoisted(() => ({ secretKey: '', secretKeyPrevious: [] as string[] }))
vi.mock('../config.ts', () => ({ config: () => keys }))

const [first, second] = ['the first secret, long enough for us', 'the second secret, long enough for us']
const use = (secretKey: string, ...secretKeyPrevious: string[]) => Object.assign(keys, { secretKey, secretKeyPrevious })
const place = 'webhook_endpoints|webhook_1|sealed_secret'

beforeEach(() => void use(first))

describe('an encrypted value', () => {
  it.each(['whsec_0123456789', '', 'ü'.repeat(500)])(
    'the encrypted text %j can be decrypted for the same row and column',
    (plain) => {
      expect(unseal(seal(plain, place), place)).toBe(plain)
    },
  )

  it('two encryptions of the same text give different bytes that do not contain the text', () => {
    const sealed = Buffer.from(seal('whsec_0123456789', place))
    expect(sealed.includes('whsec')).toBe(false)
    expect(sealed.equals(Buffer.from(seal('whsec_0123456789', place)))).toBe(false)
  })

  it('an encrypted value cannot be moved to another row, changed in any byte, or truncated', () => {
    const sealed = seal('whsec_0123456789', place)
    expect(() => unseal(sealed, place.replace('_1', '_2'))).toThrow()
    for (const index of sealed.keys()) {
      const changed = sealed.slice()
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(() => unseal(changed, place)).toThrow()
      expect(() => unseal(sealed.slice(0, index), place)).toThrow()
    }
  })

  it('a value can be decrypted while its key is current or in the list of previous keys', () => {
    const sealed = seal('whsec_0123456789', place)
    use(second, first)
    expect(unseal(sealed, place)).toBe('whsec_0123456789')
    use(second)
    expect(() => unseal(sealed, place)).toThrow('SECRET_KEY_PREVIOUS')
  })
})

describe('link tokens', () => {
  const id = 'checkout_0123456789ABCDEFGHIJKL'

  it('a link token returns its id while its key is current or in the list of previous keys', () => {
    const token = linkToken('checkout', id)
    expect(token).toMatch(/^[0-9A-Za-z_-]{44}$/)
    expect(openLinkToken('checkout', 'checkout_', token)).toBe(id)
    use(second, first)
    expect(openLinkToken('checkout', 'checkout_', token)).toBe(id)
    use(second)
    expect(openLinkToken('checkout', 'checkout_', token)).toBeNull()
  })

  it('a link token is refused for another kind of link, for another id prefix, or with a changed character', () => {
    const token = linkToken('checkout', id)
    expect(openLinkToken('invoice', 'checkout_', token)).toBeNull()
    expect(openLinkToken('checkout', 'order_', token)).toBeNull()
    for (let index = 0; index < token.length; index++) {
      const other = token[index] === 'A' ? 'B' : 'A'
      expect(openLinkToken('checkout', 'checkout_', token.slice(0, index) + other + token.slice(index + 1))).toBeNull()
    }
    for (const wrong of ['', id, token.slice(1), `${token}A`, `${token}\n`, 'ä'.repeat(44)]) {
      expect(openLinkToken('checkout', 'checkout_', wrong)).toBeNull()
    }
  })
})
