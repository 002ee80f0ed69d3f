import { toASCII } from 'tr46'
import { describe, expect, test, vi } from 'vitest'
import { asciiDomain } from './domain.ts'

vi.mock('tr46', { spy: true })

describe('domain names', () => {
  test.each([
    ['Example.COM', 'example.com'],
    ['localhost', 'localhost'],
    ['Bücher.Example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['faß.de', 'xn--fa-hia.de'],
    // Node.js 20 converts this name to `ss.de`.
    ['ẞ.de', 'xn--zca.de'],
    ['ΒΌΛΟΣ.com', 'xn--nxasmq6b.com'],
    ['example。com', 'example.com'],
    ['ｅｘａｍｐｌｅ.com', 'example.com'],
    ['a\u00adb.com', 'ab.com'],
    ['checkout_1.shop.example', 'checkout_1.shop.example'],
    ['ab--cd.com', 'ab--cd.com'],
    ['①②⑦.⓪.⓪.①', '127.0.0.1'],
    [`${'b'.repeat(63)}.com`, `${'b'.repeat(63)}.com`],
  ])('the domain %s has the ASCII form %s', (typed, ascii) => {
    expect(asciiDomain(typed)).toBe(ascii)
  })

  test.each([
    '',
    '.',
    'a..b',
    '.a',
    'a.',
    // Node.js 24 accepts the next six names.
    'xn--a.com',
    'xn--checkout_000000.example',
    'xn--',
    'xn--n',
    'xn--u-ccb.com',
    'xn--0.pt',
    'xn--zz--.com',
    'xn--ascii-.com',
    'אa.com',
    'a\u200cb.com',
    '\u0300a.com',
    'a b.com',
    'a%b.com',
    'a@b.com',
    'a:b.com',
    'a/b.com',
    'a*b.com',
    'a\u0000.com',
    'a\ud83d.com',
    `${'b'.repeat(64)}.com`,
    `${'ü'.repeat(60)}.com`,
    `${'a.'.repeat(127)}com`,
  ])('%j is not a valid domain', (typed) => {
    expect(asciiDomain(typed)).toBeNull()
  })

  test('the fast path for ASCII names gives the same result as the conversion with Unicode tables', () => {
    const labels = ['a', 'A9', '-', '_x', 'ab--cd', '0', 'xn-a', 'a-xn--b', 'b'.repeat(63), 'b'.repeat(64), 'XN--a', '']
    const names = labels.flatMap((first) => labels.map((second) => `${first}.${second}`))
    const options = { transitionalProcessing: false, checkBidi: true, checkJoiners: true, verifyDNSLength: true }
    const expected = names.map((name) => toASCII(name, options))
    vi.mocked(toASCII).mockClear()
    expect(names.map(asciiDomain)).toEqual(expected)
    expect(vi.mocked(toASCII).mock.calls.map(([name]) => name)).toEqual(
      names.filter((name) => /(^|\.)xn--|b{64}|^\.|\.$/i.test(name)),
    )
  })

  test('a domain of a million characters is refused without a conversion', () => {
    vi.mocked(toASCII).mockClear()
    expect(asciiDomain(`${'ü'.repeat(1_000_000)}.com`)).toBeNull()
    expect(toASCII).not.toHaveBeenCalled()
    asciiDomain('bücher.de')
    expect(toASCII).toHaveBeenCalledOnce()
  })
})
