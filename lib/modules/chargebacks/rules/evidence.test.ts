import { describe, expect, it } from 'vitest'
import { evidenceLimits, evidenceOf, typeOfFile } from './evidence.ts'

const pdf = (size = 100) => {
  const bytes = new Uint8Array(size)
  bytes.set(new TextEncoder().encode('%PDF-1.7'))
  return bytes
}
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0])
const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0])
const text = (of: string) => new TextEncoder().encode(of)

describe('the evidence against a dispute', () => {
  it.each([
    [pdf(), 'application/pdf'],
    [png, 'image/png'],
    [jpeg, 'image/jpeg'],
    [text('<html>'), null],
    [text('MZ'), null],
    [text(' %PDF-1.7'), null],
    [new Uint8Array(0), null],
  ])('the first bytes of a file decide its type (case %#)', (bytes, type) => expect(typeOfFile(bytes)).toBe(type))

  it('a statement and one file of each kind are valid evidence', () => {
    const given = evidenceOf({
      statement: ' It was delivered. ',
      files: [
        { kind: 'receipt', bytes: pdf() },
        { kind: 'other', bytes: png },
      ],
    })
    expect(given).toMatchObject({
      evidence: [
        { kind: 'statement', type: 'text/plain', bytes: text('It was delivered.') },
        { kind: 'receipt', type: 'application/pdf' },
        { kind: 'other', type: 'image/png' },
      ],
    })
  })

  it.each([
    [{ statement: ' ', files: [] }, 'statement'],
    [{ statement: 'x'.repeat(evidenceLimits.characters + 1), files: [] }, 'statement'],
    [{ statement: '', files: [{ kind: 'receipt', bytes: text('<svg>') }] }, 'receipt'],
    [{ statement: '', files: [{ kind: 'service', bytes: new Uint8Array(0) }] }, 'service'],
    [
      {
        statement: '',
        files: [
          { kind: 'receipt', bytes: pdf() },
          { kind: 'receipt', bytes: pdf() },
        ],
      },
      'receipt',
    ],
    [
      {
        statement: '',
        files: [
          { kind: 'receipt', bytes: pdf(4_000_000) },
          { kind: 'service', bytes: pdf(500_001) },
        ],
      },
      'other',
    ],
    [{ statement: '', files: [{ kind: 'nothing', bytes: pdf() }] }, 'statement'],
  ])('the error for invalid evidence names the field (case %#)', (given, field) =>
    expect(evidenceOf(given)).toMatchObject({ problems: { [field]: [{ rule: expect.any(String) }] } }),
  )

  it('files with a total of 4.5 MB are accepted', () => {
    const files = [
      { kind: 'receipt', bytes: pdf(4_000_000) },
      { kind: 'service', bytes: pdf(500_000) },
    ]
    expect(evidenceOf({ statement: '', files })).toHaveProperty('evidence')
  })
})
