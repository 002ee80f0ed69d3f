import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalDomain, canonicalEmail, customerEmail, domainOf, maskedEmail } from './email.ts'

test.each([
  ['Ada@Example.com', 'ada@example.com'],
  ['ada', null],
  ['customer_1@erased.invalid', null],
  ['customer_1@Erased.Invalid', null],
  ['ada@not-erased.invalid', 'ada@not-erased.invalid'],
])('the customer email address %s is stored as %s', (typed, given) => {
  expect(customerEmail(typed)).toBe(given)
})

describe('canonical email addresses', () => {
  test.each([
    ['Ada@Example.COM', 'ada@example.com'],
    ['  ada@example.com\t', 'ada@example.com'],
    ['A@Bücher.Example', 'a@xn--bcher-kva.example'],
    ['a@XN--BCHER-KVA.example', 'a@xn--bcher-kva.example'],
    ['a@faß.de', 'a@xn--fa-hia.de'],
    ['a@ΒΌΛΟΣ.com', 'a@xn--nxasmq6b.com'],
    ['a@βόλος.com', 'a@xn--nxasmm1c.com'],
    ['a@example。com', 'a@example.com'],
    ['a@ｅｘａｍｐｌｅ.com', 'a@example.com'],
    ['a@пример.рф', 'a@xn--e1afmkfd.xn--p1ai'],
    ['Ünal.Müller@example.com', 'ünal.müller@example.com'],
    ['\u00e9ve@example.com', '\u00e9ve@example.com'],
    ['e\u0301ve@example.com', '\u00e9ve@example.com'],
    ['E\u0301VE@example.com', '\u00e9ve@example.com'],
    ['eve@bu\u0308cher.example', 'eve@xn--bcher-kva.example'],
    // Two combining marks in both orders, and a Korean syllable that is written as three letters.
    ['q\u0323\u0307@example.com', 'q\u0323\u0307@example.com'],
    ['q\u0307\u0323@example.com', 'q\u0323\u0307@example.com'],
    ['\u1112\u1161\u11ab@example.com', '\ud55c@example.com'],
    ['ada+Shop@gmail.com', 'ada+shop@gmail.com'],
    ["o'neil_{1}@mail-1.example.co.uk", "o'neil_{1}@mail-1.example.co.uk"],
    // Hyphens in the third and fourth position occur in registered names.
    ['a@ab--cd.com', 'a@ab--cd.com'],
    ['a@123.com', 'a@123.com'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    [`a@${'b'.repeat(63)}.com`, `a@${'b'.repeat(63)}.com`],
  ])('the email address %s has the canonical form %s', (typed, canonical) => {
    expect(canonicalEmail(typed)).toBe(canonical)
  })

  test.each([
    '',
    'a',
    '@',
    'a@',
    '@example.com',
    'a@b',
    'a@localhost',
    'a@a..b.com',
    'a@.com',
    'a@example.com.',
    'a@-a.com',

    'a@a-.com',
    'a@xn--zz--',
    'a@xn--zz--.com',
    'a@xn--a.com',
    'a@a_b.com',
    'a@a b.com',
    'a b@example.com',
    'a@b@c.com',

    'a..b@example.com',
    '.a@example.com',
    'a.@example.com',
    '"a b"@example.com',
    'a@[192.0.2.1]',
    'a@192.0.2.1',

    'a@example.c',
    'a@example.1com',
    'a\u0000@example.com',
    'a\n@example.com',
    'a@exam\nple.com',
    'a\ud83d@example.com',

    'a\u200bb@example.com',
    'a\u00a0b@example.com',
    'Ada <a@example.com>',
    'a@אa.com',

    `${'a'.repeat(65)}@example.com`,
    `${'ü'.repeat(33)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'ü'.repeat(60)}.com`,
  ])('%j is not a valid email address', (typed) => {
    expect(canonicalEmail(typed)).toBeNull()
  })

  test('an email address has at most 254 octets, counted in its ASCII form', () => {
    const fits = `${'l'.repeat(60)}@${'d'.repeat(63)}.${'d'.repeat(63)}.${'d'.repeat(61)}.com`
    expect(fits).toHaveLength(254)
    expect(canonicalEmail(fits)).toBe(fits)
    expect(canonicalEmail(`l${fits}`)).toBeNull()
  })

  test('composed and decomposed letters give the same canonical email address', () => {
    const letters = fc.string({
      unit: fc.constantFrom(...'e\u0301\u00e9E\u00c9\u0130\u1e9e\u0323\u0307a.1'),
      minLength: 1,
    })
    fc.assert(
      fc.property(letters, (local) => {
        const [composed, decomposed] = [local.normalize('NFC'), local.normalize('NFD')]
        expect(canonicalEmail(`${decomposed}@example.com`)).toBe(canonicalEmail(`${composed}@example.com`))
      }),
      { numRuns: 500 },
    )
  })

  test('canonicalizing a canonical email address does not change it', () => {
    const typed = fc.oneof(
      fc.emailAddress(),
      fc
        .tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'grapheme', minLength: 1 }))
        .map(([a, b]) => `${a}@${b}.com`),
    )
    fc.assert(
      fc.property(typed, (input) => {
        const canonical = canonicalEmail(input)
        if (canonical !== null) expect(canonicalEmail(canonical)).toBe(canonical)
      }),
      { numRuns: 500 },
    )
  })
})

test('a domain has the same canonical form alone and in an email address', () => {
  expect(domainOf('ada@mail.example.com')).toBe('mail.example.com')
  expect(canonicalDomain('Bücher.Example')).toBe('xn--bcher-kva.example')
  for (const none of ['', 'localhost', '*.example.com', 'a_b.example', 'example.com.', 'xn--a.com', '@example.com'])
    expect(canonicalDomain(none)).toBeNull()
})

test('a masked email address shows the first letter and the domain', () => {
  expect(maskedEmail('ada@example.com')).toBe('a***@example.com')
  for (const none of ['', 'ada', '@example.com']) expect(maskedEmail(none)).toBe('****')
})
