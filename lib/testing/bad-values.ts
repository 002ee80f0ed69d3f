// This file is longer than 400 lines because it is a table with one entry for each type of field.
import { locales } from '../kernel/locale.ts'
import { eventNames } from '../modules/events/event-types.ts'

/**
 * Test values for a type of field. The service must refuse each bad value with a message that contains `says`. The
 * error must name the field, or the path `at` below the field. The service must accept each good value, which is at a
 * limit.
 */
export interface Kind {
  readonly bad: readonly Bad[]
  readonly good?: readonly unknown[]
  readonly required?: boolean
}
export interface Bad {
  readonly value: unknown
  readonly says?: string
  readonly at?: string
}

const bad = (values: readonly unknown[], says?: string, at?: string): Bad[] =>
  values.map((value) => ({ value, ...(says !== undefined && { says }), ...(at !== undefined && { at }) }))

/** JSON text that `JSON.stringify` never writes. `toJson` inserts the text unchanged. */
const raw = (json: string) => `\u27e6${json}\u27e7`
export const toJson = (body: unknown): string =>
  JSON.stringify(body).replace(/"\u27e6(.*?)\u27e7"/g, (_, json) => JSON.parse(`"${json}"`))

interface Options {
  required?: boolean
  nullable?: boolean
}

const examples = { string: 'some', number: 12, boolean: true, array: [{ a: 1 }], object: { a: 1 } } as const
function wrongTypes(type: keyof typeof examples, says: string | undefined, nullable = false): Bad[] {
  const others = Object.entries(examples).filter(([name]) => name !== type)
  return bad([...others.map(([, value]) => value), ...(nullable ? [] : [null])], says)
}

const unstorable = ['a\u0000b', 'ab\ud83d', '\udc00ab', 'a\u001bb', 'abc\u0008']

export const anObject: Kind = { bad: wrongTypes('object', 'Must be an object.') }

export const list = (max: number, item: unknown): Kind => ({
  bad: [
    ...bad(['some', 12, true, null, { length: 1, 0: item }], 'Must be an array.'),
    ...bad([[]], 'Must have at least 1 item(s).'),
    ...bad([Array.from({ length: max + 1 }, () => item), Array(200_000).fill(0)], `Must have at most ${max} items.`),
  ],
  required: true,
})

export const text = (min: number, max: number, options: Options & { multiline?: boolean } = {}): Kind => ({
  bad: [
    ...wrongTypes('string', 'Must be a string.', options.nullable),
    ...bad([...unstorable, ...(options.multiline ? [] : ['two\nlines', 'a\tb', 'a\rb'])], 'Must be well-formed text'),
    ...bad(
      ['x'.repeat(max + 1), '\u{1f600}'.repeat(max + 1), 'x'.repeat(100_000)],
      `${min > 0 ? `Must have ${min} to` : 'Must have at most'} ${max} characters.`,
    ),
    ...bad(min > 0 ? ['', 'x'.repeat(min - 1), '\u{1f600}'.repeat(min - 1)] : [], `${min} to ${max} characters`),
  ],
  good: [
    'x'.repeat(max),
    '\u{1f600}'.repeat(max),
    'x'.repeat(min),
    '__proto__',
    "a'; DROP TABLE x;--".slice(0, max),
    'Ünïcödé ﷽ \u202e',
  ],
  ...options,
})

const cleaned = (kind: Kind): Kind => {
  const isRemoved = (value: unknown) => typeof value === 'string' && /\p{Cc}/u.test(value)
  const removed = kind.bad.filter((each) => isRemoved(each.value)).map((each) => each.value)
  return { ...kind, bad: kind.bad.filter((each) => !isRemoved(each.value)), good: [...(kind.good ?? []), ...removed] }
}

interface Amounts {
  readonly good: readonly string[]
  readonly less?: readonly string[]
  readonly more: readonly string[]
  readonly least?: string
  readonly most: string
}

export const euros = (options: Options = {}): Kind =>
  amount({ good: ['0.00', '0.01', '999999.99'], more: ['1000000.00', '9999999999999.99'], most: '999999.99' }, options)

export const amount = ({ good, less = [], more, least = '', most }: Amounts, options: Options = {}): Kind => {
  const of = (values: readonly unknown[]) => values.map((value) => ({ value, currency: 'EUR' }))
  const other = (currencies: readonly unknown[]) => currencies.map((currency) => ({ value: '10.00', currency }))
  return {
    bad: [
      ...wrongTypes('object', 'Must be an object.', options.nullable),
      ...bad(of([10, 10.5, true, null, ['10.00'], {}]), 'Must be a string.', 'value'),
      ...bad(
        of(
          // biome-ignore format: one line of invalid numbers
          ['10', '10.0', '10.000', '-1.00', '-0.00', '+1.00', '1,00', '1.000,00', '1_0.00', '.50', '10.', '', ' ', ' 10.00', '10.00 ', '10.00\n',
            '1e2', '1e2.00', 'NaN', 'Infinity', '0x10.00', '\u0661.00', '10.00\u0000', '010.00', `${'9'.repeat(14)}.00`, `${'9'.repeat(5000)}.00`],
        ),
        'exactly two decimals',
        'value',
      ),
      ...bad(of(less), least, 'value'),
      ...bad(of(more), most, 'value'),
      ...bad(other(['USD', 'GBP', 'eur', 'EUR ', '', 'EURO', 7, null, ['EUR'], '__proto__']), 'EUR', 'currency'),
      ...bad([{ currency: 'EUR' }], 'This field is required.', 'value'),
      ...bad([{ value: '10.00' }], 'EUR', 'currency'),
    ],
    good: of(good),
    ...options,
  }
}

export const count = (min: number, max: number, options: Options = {}): Kind => ({
  bad: [
    ...wrongTypes('number', 'Must be', options.nullable),
    ...bad(['1', '', ' 1', '1.0', 1.5, 1e21, 2 ** 53, raw('1e400'), raw('-1e400')], 'Must be'),
    ...bad([min - 1, -1, ...(min > 0 ? [0, raw('-0')] : [])], `Must be at least ${min}.`),
    ...bad([max + 1, 2_147_483_648], `Must be at most ${max.toLocaleString('en')}`),
  ],
  good: [min, max],
  ...options,
})

export const oneOf = (values: readonly string[], options: Options & { says?: string } = {}): Kind => ({
  bad: bad(
    // biome-ignore format: one line of invalid names
    ['', ' ', 'other', `${values[0]} `, values[0]?.toUpperCase(), '__proto__', 'constructor', 'toString', 7, true, [values[0]], {},
      ...(options.nullable ? [] : [null])],
    options.says ?? `Must be one of ${values.map((value) => `"${value}"`).join(', ')}.`,
  ),
  good: values,
  ...options,
})

export const someId = (prefix: string): string => `${prefix}${'0'.repeat(22)}`

const notThere = 'does not exist in this storefront and mode.'

export const reference = (prefixes: readonly string[], options: Options = {}, unknown = notThere): Kind => ({
  bad: [
    ...wrongTypes('string', 'Must be a string.', options.nullable),
    ...bad(
      // biome-ignore format: one line of invalid ids
      ['', ' ', 'order_', prefixes[0], someId('order_'), someId(prefixes[0] ?? '').slice(0, -1), `${someId(prefixes[0] ?? '')}0`,
        `${someId(prefixes[0] ?? '').slice(0, -1)}-`, `${someId(prefixes[0] ?? '')}\n`, `${prefixes[0]}\u0000${'0'.repeat(21)}`,
        someId(prefixes[0] ?? '').toUpperCase(), 'x'.repeat(100_000)],
      `Must be an id that begins with ${prefixes.join(' or ')}.`,
    ),
    ...bad(prefixes.map(someId), unknown),
  ],
  ...options,
})

const keys = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [`key ${index}`, index]))
export const metadata: Kind = {
  bad: [
    ...wrongTypes('object', 'Must be an object whose values are strings, numbers or booleans.', true),
    ...bad([keys(51), keys(10_000)], 'Must have at most 50 keys.'),
    ...bad([{ ['k'.repeat(41)]: 1 }], 'at most 40 characters', 'k'.repeat(41)),
    ...bad([{ ['\u{1f600}'.repeat(41)]: 1 }], 'at most 40 characters', '\u{1f600}'.repeat(41)),
    ...bad([{ '': 1 }], 'must not be empty', ''),
    ...bad([{ 'a\u0000': 1 }], 'well-formed', 'a\u0000'),
    ...bad([{ '\ud800': 1 }], 'well-formed', '\ud800'),
    ...bad(
      unstorable.map((value) => ({ a: value })),
      'well-formed',
      'a',
    ),
    ...bad([{ a: 'v'.repeat(501) }, { a: '\u{1f600}'.repeat(501) }], 'at most 500 characters', 'a'),
    ...bad([{ a: null }, { a: {} }, { a: [] }, { a: { b: 1 } }], 'a string, a number or a boolean', 'a'),
    ...bad([{ a: raw('1e400') }], 'finite', 'a'),
    ...bad([raw('{"__proto__": null}')], 'a string, a number or a boolean', '__proto__'),
    ...bad([raw('{"__proto__": {"isAdmin": true}}')], 'a string, a number or a boolean', '__proto__'),
  ],
  good: [
    keys(50),
    {},
    {
      ['\u{1f600}'.repeat(40)]: '\u{1f600}'.repeat(500),
      text: 'two\nlines',
      yes: true,
      no: false,
      pi: 3.14,
      less: -1,
      none: '',
    },
    raw('{"__proto__": "kept", "constructor": "kept", "10": 1, "9": 2}'),
  ],
}

export const email = (options: Options = {}): Kind => ({
  bad: [
    ...wrongTypes('string', 'Must be a string.', options.nullable),
    ...bad(
      // biome-ignore format: one line of invalid addresses
      ['', ' ', 'ada', '@', 'ada@', '@example.com', 'ada@localhost', 'ada@a..example', 'ada@.example.com', 'ada@example.com.', 'ada@-a.example', 'ada@xn--a.com',
        'ada@xn--zz--.com', 'a b@example.com', 'ada@a b.com', 'ada@b@example.com', 'a..b@example.com', '.a@example.com', 'a.@example.com', '"a b"@example.com',
        'ada@[192.0.2.1]', 'ada@192.0.2.1', 'ada@exa_mple.com', 'ada\u0000@example.com', 'ada\n@example.com', 'ad\ud83da@example.com', 'Ada <ada@example.com>',
        'ada@example.com,bob@example.com', `${'a'.repeat(65)}@example.com`, `ada@${'b'.repeat(64)}.com`, `ada@${`${'b'.repeat(62)}.`.repeat(4)}com`,
        `ada@${'ü'.repeat(100_000)}.com`],
      'Must be an email address',
    ),
  ],
  good: [
    '  Ada@Example.COM\t',
    'ada@Bücher.example',
    'ada@faß.de',
    'ada@пример.рф',
    'Ünal.Müller@example.com',
    "o'neil_{1}@mail-1.example.co.uk",
  ],
  ...options,
})

export const redirectUrl: Kind = {
  bad: [
    ...wrongTypes('string', 'Must be a string.'),
    ...bad(
      // biome-ignore format: one line of invalid addresses
      ['', ' ', '/thanks', 'thanks', 'shop.example/thanks', '//shop.example', 'http:', 'http://', 'https:shop.example', 'https:/shop.example', 'https://?a',
        'javascript:alert(1)', 'JaVaScRiPt://shop.example/%0aalert(1)', 'data:text/html,hi', 'file:///etc/passwd', 'ftp://shop.example', 'blob:https://shop.example/1',
        'java\nscript:alert(1)', ' https://shop.example', 'https://shop.example ', 'https://shop.example/a b', '\u0001https://shop.example', 'https://shop.example/\n',
        'https://shop\t.example', 'https://shop.example\u0000.evil.example', 'https://shop.example/\ud83d', 'https://shop.example\\@evil.example',
        'https:\\\\evil.example', 'https://user@shop.example', 'https://user:pass@shop.example', 'https://:pass@shop.example', 'https://shop.example@evil.example',
        'https://shop.example%40evil.example', 'https://shop.example:99999', 'https://shop.example:port', 'https://[::1', 'https://%00', 'https://a..%2fb',
        'https://{CHECKOUT_ID}@evil.example', 'https://shop.example:{CHECKOUT_ID}', '{CHECKOUT_ID}', '{CHECKOUT_ID}://shop.example', '{CHECKOUT_ID}https://shop.example',
        'https://xn--{CHECKOUT_ID}.example', 'https://shop.example%{CHECKOUT_ID}'],
      'Must be an absolute http or https URL without credentials.',
    ),
    ...bad(
      [`https://shop.example/${'x'.repeat(2048)}`, `https://shop.example/${'ü'.repeat(1020)}`],
      'Must have at most 2048 bytes.',
    ),
  ],
  good: [
    `https://shop.example/${'x'.repeat(2027)}`,
    `https://shop.example/${'ü'.repeat(1013)}`,
    'http://localhost:3000/thanks',
    'https://shop.example/{CHECKOUT_ID}/{CHECKOUT_ID}?a={CHECKOUT_ID}#{CHECKOUT_ID}',
    'https://shop.example/?to=https://evil.example@x',
    'https://bücher.example/ü?q=%F0%9F%98%80#@x',
    'https://[2001:db8::1]:8443/',
  ],
  required: true,
}

/** An optional https URL. Unlike a redirect URL, it has no placeholder. */
export const returnUrl: Kind = {
  bad: [
    ...wrongTypes('string', 'Must be a string.', true),
    ...bad(
      // biome-ignore format: one line of invalid addresses
      ['', ' ', '/account', 'shop.example', '//shop.example', 'https:', 'https:shop.example', 'http://shop.example', 'javascript:alert(1)', 'data:text/html,hi',
        ' https://shop.example', 'https://shop.example/a b', 'https://shop.example/\n', 'https://shop.example\\@evil.example', 'https://user@shop.example',
        'https://:pass@shop.example', 'https://shop.example:99999', 'https://[::1', '{CHECKOUT_ID}'],
      'Must be an absolute https URL without credentials.',
    ),
    ...bad(
      [`https://shop.example/${'x'.repeat(2048)}`, `https://shop.example/${'ü'.repeat(1020)}`],
      'Must have at most 2048 bytes.',
    ),
  ],
  good: [null, `https://shop.example/${'x'.repeat(2027)}`, 'https://bücher.example/ü', 'https://[2001:db8::1]:8443/'],
}

export const locale: Kind = {
  bad: [
    ...wrongTypes('string', 'Must be a string.', true),
    ...bad(
      [
        '',
        ' ',
        'C',
        'POSIX',
        'xx',
        'ja',
        'und',
        '*',
        'd',
        'de-',
        '_de',
        ' de',
        'de ',
        'x-de',
        'i-default',
        'de\u0000',
        '__proto__',
        `de-${'x'.repeat(10_000)}`,
      ],
      locales.join(', '),
    ),
  ],
  good: [null, 'de', 'DE', 'deu', 'de_DE.UTF-8@euro', 'de_AT', 'pt_BR', 'es-419', 'de-DE-u-co-phonebk', 'nl-Latn-BE'],
}

const line = text(0, 255, { nullable: true })
const addressFields: Record<string, Kind> = {
  fullName: line,
  companyName: line,
  taxId: cleaned(text(0, 50, { nullable: true })),
  streetAndNumber: line,
  streetAdditional: line,
  city: line,
  region: line,
  postalCode: text(0, 20, { nullable: true }),
  country: {
    bad: [
      ...wrongTypes('string', 'Must be a string.', true),
      // biome-ignore format: one line of invalid countries
      ...bad(['nl', 'NLD', 'XX', 'XK', 'EL', 'UK', 'XI', 'N', ' NL', 'NL ', 'Netherlands', '\u0000', '__proto__'], 'ISO 3166-1 alpha-2'),
    ],
    good: ['NL', 'GR', 'GB', '', null],
  },
}
export const address: Kind = {
  bad: [
    ...wrongTypes('object', 'Must be an object.', true),
    ...Object.entries(addressFields).flatMap(([field, kind]) =>
      kind.bad.map((one) => ({ ...one, value: { [field]: one.value }, at: field })),
    ),
  ],
  good: [
    null,
    {},
    ...Object.entries(addressFields).flatMap(([field, kind]) => (kind.good ?? []).map((value) => ({ [field]: value }))),
  ],
}

export const webhookUrl: Kind = {
  bad: [
    ...wrongTypes('string', 'Must be a string.'),
    ...bad(
      // biome-ignore format: one line of invalid addresses
      ['', ' ', '/hook', 'hook.example', '//hook.example', 'https:', 'https://', 'ftp://hook.example', 'javascript:alert(1)', 'file:///etc/passwd', 'https:hook.example',
        'https://hook.example/a b', 'https://hook.example\\@127.0.0.1', 'https://hook.example:99999', 'https://[::1', 'https://xn--a.com', 'https://a..example'],
      'Must be an absolute https URL.',
    ),
    ...bad(
      ['a\u0000', 'https://hook.example/\u0000', 'https://hook.example/\n', 'https://hook.example/\ud83d'],
      'Must be well-formed text',
    ),
    ...bad([`https://hook.example/${'x'.repeat(2048)}`], '2048'),
    ...bad(
      ['https://user@hook.example', 'https://user:pass@hook.example', 'https://@hook.example', 'https://a@b.example#c'],
      'credentials',
    ),
    ...bad(['http://hook.example', 'http://93.184.215.14/'], 'Must be an https URL.'),
    ...bad(['https://hook.example/#', 'https://hook.example/a?b#c'], 'Must not have a fragment (#)'),
    ...bad(
      ['https://hook.example:0', 'https://hook.example:22', 'https://hook.example:1023', 'https://hook.example:6000'],
      'Must use port 443, or a port from 1024 to 65535 that browsers do not block',
    ),
    ...bad(
      // biome-ignore format: one line of addresses that are not public
      ['https://127.0.0.2', 'https://127.2', 'https://0x7f000002', 'https://0177.0.0.2', 'https://2130706434', 'https://①②⑦.⓪.⓪.②', 'https://0.0.0.0', 'https://10.0.0.1',
        'https://172.16.0.1', 'https://192.168.1.1', 'https://169.254.169.254/latest/meta-data', 'https://100.64.0.1', 'https://192.0.2.1', 'https://198.18.0.1',
        'https://224.0.0.1', 'https://240.0.0.1', 'https://255.255.255.255', 'https://[::1]', 'https://[::]', 'https://[::ffff:127.0.0.1]', 'https://[::ffff:7f00:1]',
        'https://[::7f00:1]', 'https://[64:ff9b::7f00:1]', 'https://[2002:7f00:1::]', 'https://[fe80::1]', 'https://[fc00::1]', 'https://[ff02::1]', 'https://[2001:db8::1]',
        'https://localhost.', 'https://hook.localhost', 'https://printer.local', 'https://db.internal', 'https://intranet', 'https://a.home.arpa', 'https://hook.test'],
      'Must be a public host',
    ),
  ],
}

export const secret: Kind = {
  bad: [
    ...wrongTypes('string', 'Must be a string.'),
    ...bad(
      [
        '',
        'too short',
        '\u{1f600}'.repeat(9),
        'x'.repeat(501),
        'x'.repeat(100_000),
        'with a NUL \u0000',
        'a surrogate \ud83d',
      ],
      'Must have 10 to 500 characters.',
    ),
  ],
}

export const events: Kind = {
  bad: [
    ...wrongTypes('array', 'Must be an array.').filter(({ value }) => !Array.isArray(value)),
    ...bad(
      // biome-ignore format: one line of invalid names
      [['webhook.setup'], ['*'], [''], ['ORDER.PAID'], ['order.paid '], ['__proto__'], [7], [null], [['order.paid']], ['order.paid\u0000']],
      'Must be the name of an event that can be subscribed to.',
      '0',
    ),
    ...bad([['order.paid', 'order.paid']], 'Must not be listed twice.', '1'),
    ...bad(
      [Array(80_000).fill('order.paid'), Array(200_000).fill('x')],
      `Must have at most ${eventNames.length} items.`,
    ),
  ],
  good: [[], [...eventNames]],
}

export const duration: Kind = {
  bad: [
    ...wrongTypes('string', 'Must be a string.'),
    ...bad(
      // biome-ignore format: one line of invalid durations
      ['', ' ', 'P', 'PT', '1M', '25h', '30d', 'P-1D', '-P1D', 'P1.5D', 'P1', 'p1d', 'P1D ', 'PT1D', 'P1H', 'P1M\u0000', '__proto__', `P${'9'.repeat(1000)}D`, 3600],
      'Must be',
    ),
    ...bad(['P1000Y', 'P999999999D', 'PT999999999H999999999M999999999S'], '2999'),
  ],
}

export const moment: Kind = {
  bad: [
    ...wrongTypes('string', 'Must be a string.'),
    ...bad(
      // biome-ignore format: one line of invalid moments
      ['', ' ', 'tomorrow', '2027-01-31', '2027-02-30T00:00:00Z', '2027-01-31T24:00:00Z', '2027-01-31T00:00:60Z', '2027-01-31T00:00:00', '2027-01-31 00:00:00Z',
        '2027-01-31T00:00:00+15:00', '27-01-31T00:00:00Z', '+12027-01-31T00:00:00Z', '3000-01-01T00:00:00Z', '2027-13-01T00:00:00Z', '2027-01-31T00:00:00Z\n', '1800000000', '\u0000'],
      'Must be an ISO 8601 timestamp',
    ),
    ...bad(['2020-01-01T00:00:00Z'], 'The clock cannot be moved back'),
  ],
}

export const flag: Kind = {
  bad: [
    ...wrongTypes('boolean', 'Must be true or false.'),
    ...bad(['true', 'false', 0, 1, ''], 'Must be true or false.'),
  ],
  good: [false],
}

export const dayAhead: Kind = {
  bad: [
    ...wrongTypes('string', 'Must be a string.', true),
    ...bad(
      [
        '',
        ' ',
        'tomorrow',
        '2027-02-30',
        '2027-1-1',
        '20270101',
        '2027-01-31T00:00:00Z',
        '3000-01-01',
        '2027-01-31\n',
        '\u0000',
      ],
      'Must be a day',
    ),
    ...bad(['2020-01-01', '2900-01-01'], 'Must be a day after'),
  ],
}

export const momentBefore: Kind = {
  bad: [
    ...moment.bad.filter(({ value, says }) => value !== null && says !== 'The clock cannot be moved back'),
    ...bad(['2020-01-01T00:00:00Z'], 'Must be at most one hour old'),
    ...bad(['2999-01-01T00:00:00Z'], 'Must not be in the future'),
  ],
}

export const momentAhead: Kind = {
  bad: [
    ...moment.bad.filter(({ value, says }) => value !== null && says !== 'The clock cannot be moved back'),
    ...bad(['2020-01-01T00:00:00Z'], 'Must be in the future'),
  ],
}
