import fc from 'fast-check'
import { XmlDocument } from 'libxml2-wasm'
import { describe, expect, it } from 'vitest'
import { type CreditTransfer, type CreditTransfers, creditTransfersXml } from './credit-transfers.ts'

const payment = (number: number, minor: bigint, bic: string | null = null): CreditTransfer => ({
  endToEndId: `P${number}`,
  amount: { minor, currency: 'EUR' },
  text: `Payout ${number}`,
  to: { holder: 'Lumen Software B.V.', iban: 'NL91ABNA0417164300', bic },
})
const file: CreditTransfers = {
  messageId: 'B1',
  createdAt: new Date('2026-11-24T09:30:15.678Z'),
  from: { holder: 'Billhook Demo Seller B.V.', iban: 'NL20INGB0001234567', bic: null },
  payments: [payment(1, 5000n), payment(2, 1n, 'ABNANL2A')],
}

const whole = [
  '<?xml version="1.0" encoding="UTF-8"?>\n',
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>',
  '<GrpHdr><MsgId>B1</MsgId><CreDtTm>2026-11-24T09:30:15Z</CreDtTm><NbOfTxs>2</NbOfTxs><CtrlSum>50.01</CtrlSum><InitgPty><Nm>Billhook Demo Seller B.V.</Nm></InitgPty></GrpHdr>',
  '<PmtInf><PmtInfId>B1</PmtInfId><PmtMtd>TRF</PmtMtd><NbOfTxs>2</NbOfTxs><CtrlSum>50.01</CtrlSum>',
  '<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf><ReqdExctnDt><Dt>2026-11-24</Dt></ReqdExctnDt>',
  '<Dbtr><Nm>Billhook Demo Seller B.V.</Nm></Dbtr><DbtrAcct><Id><IBAN>NL20INGB0001234567</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt>',
  '<ChrgBr>SLEV</ChrgBr>',
  '<CdtTrfTxInf><PmtId><EndToEndId>P1</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">50.00</InstdAmt></Amt>',
  '<Cdtr><Nm>Lumen Software B.V.</Nm></Cdtr><CdtrAcct><Id><IBAN>NL91ABNA0417164300</IBAN></Id></CdtrAcct>',
  '<RmtInf><Ustrd>Payout 1</Ustrd></RmtInf></CdtTrfTxInf>',
  '<CdtTrfTxInf><PmtId><EndToEndId>P2</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">0.01</InstdAmt></Amt><CdtrAgt><FinInstnId><BICFI>ABNANL2A</BICFI></FinInstnId></CdtrAgt>',
  '<Cdtr><Nm>Lumen Software B.V.</Nm></Cdtr><CdtrAcct><Id><IBAN>NL91ABNA0417164300</IBAN></Id></CdtrAcct>',
  '<RmtInf><Ustrd>Payout 2</Ustrd></RmtInf></CdtTrfTxInf></PmtInf></CstmrCdtTrfInitn></Document>',
]

const namespace = { p: 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09' }

const iban = /^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/
const bic = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/
const latin = (most: number) => new RegExp(`^[A-Za-z0-9/?:().,'+ -]{1,${most}}$`)
/**
 * The part of pain.001.001.09 that our files use. A list names the children of an element in order: `?` is optional, `*` can repeat. A
 * pattern describes the text of an element (Max35Text and similar types, with the characters of EPC217-08).
 */
const schema: Readonly<Record<string, readonly string[] | RegExp>> = {
  Document: ['CstmrCdtTrfInitn'],
  CstmrCdtTrfInitn: ['GrpHdr', 'PmtInf*'],
  GrpHdr: ['MsgId', 'CreDtTm', 'NbOfTxs', 'CtrlSum', 'InitgPty'],
  MsgId: latin(35),
  CreDtTm: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  NbOfTxs: /^\d{1,15}$/,
  CtrlSum: /^\d{1,16}\.\d\d$/,
  InitgPty: ['Nm'],
  Nm: latin(70),
  PmtInf: [
    ...['PmtInfId', 'PmtMtd', 'NbOfTxs', 'CtrlSum', 'PmtTpInf', 'ReqdExctnDt', 'Dbtr', 'DbtrAcct', 'DbtrAgt'],
    ...['ChrgBr', 'CdtTrfTxInf*'],
  ],
  PmtInfId: latin(35),
  PmtMtd: /^TRF$/,
  PmtTpInf: ['SvcLvl'],
  SvcLvl: ['Cd'],
  Cd: /^SEPA$/,
  ReqdExctnDt: ['Dt'],
  Dt: /^\d{4}-\d\d-\d\d$/,
  Dbtr: ['Nm'],
  Cdtr: ['Nm'],
  DbtrAcct: ['Id'],
  CdtrAcct: ['Id'],
  DbtrAgt: ['FinInstnId'],
  CdtrAgt: ['FinInstnId'],
  FinInstnId: ['BICFI?', 'Othr?'],
  BICFI: bic,
  Othr: ['Id'],
  ChrgBr: /^SLEV$/,
  CdtTrfTxInf: ['PmtId', 'Amt', 'CdtrAgt?', 'Cdtr', 'CdtrAcct', 'RmtInf'],
  PmtId: ['EndToEndId'],
  EndToEndId: latin(35),
  Amt: ['InstdAmt'],
  InstdAmt: /^(?!0+\.00$)\d{1,9}\.\d\d$/, // The amount can be 0.01 to 999,999,999.99 (AT-04 of the rulebook).
  RmtInf: ['Ustrd'],
  Ustrd: latin(140),
  IBAN: iban,
}

function broken(xml: string): string[] {
  const document = XmlDocument.fromString(xml)
  const wrong: string[] = []
  const walk = (path: string, name: string) => {
    const found = document.find(path, namespace) as { content: string }[]
    const children = (document.find(`${path}/*`, namespace) as unknown as { name: string }[]).map((each) => each.name)
    const allowed = name === 'Id' ? (children.length > 0 ? ['IBAN'] : /^NOTPROVIDED$/) : schema[name]
    if (!allowed) wrong.push(`${name}: unknown`)
    else if (allowed instanceof RegExp) {
      if (children.length > 0 || found.length !== 1 || !allowed.test(found[0]?.content ?? '')) wrong.push(name)
    } else {
      const order = allowed.map(
        (each) => `(?:${each.replace(/[?*]$/, '')} )${/[?]$/.test(each) ? '?' : /[*]$/.test(each) ? '+' : ''}`,
      )
      if (!new RegExp(`^${order.join('')}$`).test(children.map((each) => `${each} `).join('')))
        wrong.push(`${name}: ${children}`)
      children.forEach((child, index) => {
        walk(`${path}/*[${index + 1}]`, child)
      })
    }
  }
  try {
    walk('/p:Document', 'Document')
  } finally {
    document.dispose()
  }
  return wrong
}

describe('bank file', () => {
  it('a bank file equals the stored example', () => {
    expect(creditTransfersXml(file)).toBe(`${whole.join('')}\n`)
  })

  it('the elements of a bank file are in the order of the schema', () => {
    expect(broken(creditTransfersXml(file))).toEqual([])
    expect(broken(creditTransfersXml({ ...file, from: { ...file.from, bic: 'INGBNL2A' } }))).toEqual([])
  })

  it.each([
    ['an additional element', (xml: string) => xml.replace('<PmtMtd>', '<BtchBookg>true</BtchBookg><PmtMtd>')],
    [
      'elements in the wrong order',
      (xml: string) => xml.replace(/(<ChrgBr>.*?<\/ChrgBr>)/, '').replace('<Dbtr>', '<ChrgBr>SLEV</ChrgBr><Dbtr>'),
    ],
    ['a letter that banks do not accept', (xml: string) => xml.replace('Lumen', 'Lümen')],
    ['an id of more than 35 characters', (xml: string) => xml.replaceAll('>B1<', `>${'B'.repeat(36)}<`)],
    ['an amount of 0.00', (xml: string) => xml.replace('>0.01<', '>0.00<')],
    ['no payment', (xml: string) => xml.replace(/<CdtTrfTxInf>.*<\/CdtTrfTxInf>/, '')],
    ['another version of the message', (xml: string) => xml.replace('pain.001.001.09', 'pain.001.001.03')],
  ])('the XML schema refuses a bank file with %s', (_, change) => {
    expect(broken(change(creditTransfersXml(file)))).not.toEqual([])
  })

  it('a bank file states the number and the sum of its payments', () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: 99_999_999_999n }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(amounts, (minors) => {
        const xml = creditTransfersXml({ ...file, payments: minors.map((minor, index) => payment(index, minor)) })
        expect(broken(xml)).toEqual([])
        const cents = (amount = '') => BigInt(amount.replace('.', ''))
        const paid = [...xml.matchAll(/<InstdAmt Ccy="EUR">([\d.]+)</g)].map(([, amount]) => cents(amount))
        expect(paid).toEqual(minors)
        const sums = [...xml.matchAll(/<CtrlSum>([\d.]+)</g)].map(([, amount]) => cents(amount))
        const total = minors.reduce((sum, minor) => sum + minor, 0n)
        expect([sums, [...xml.matchAll(/<NbOfTxs>(\d+)</g)].map(([, count]) => Number(count))]).toEqual([
          [total, total],
          [minors.length, minors.length],
        ])
      }),
      { numRuns: 30 },
    )
  })

  it('creating a bank file throws if a payment is not in EUR', () => {
    const dollars = { ...payment(1, 1n), amount: { minor: 1n, currency: 'USD' } } as const
    expect(() => creditTransfersXml({ ...file, payments: [dollars] })).toThrow('euros')
  })
})
