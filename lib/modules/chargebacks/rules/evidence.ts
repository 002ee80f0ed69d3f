/** The statement and the files of evidence. A dispute accepts one statement, and one file of every other kind. */
export const evidenceKinds = ['communication', 'receipt', 'service', 'other'] as const
type FileKind = (typeof evidenceKinds)[number]
export type EvidenceKind = FileKind | 'statement'

const types = ['application/pdf', 'image/jpeg', 'image/png'] as const
export type EvidenceType = (typeof types)[number] | 'text/plain'

/** The limits of Stripe: 4.5 MB for all files of a dispute. A statement has at most 20,000 characters there. */
export const evidenceLimits = { bytes: 4_500_000, characters: 5_000 } as const

/** A part of the evidence against a dispute. */
export interface Evidence {
  readonly kind: EvidenceKind
  readonly type: EvidenceType
  readonly bytes: Uint8Array
}

const beginnings: Readonly<Record<(typeof types)[number], readonly number[]>> = {
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
}

/** The type of a file by its first bytes, regardless of its name. Null for every other type. */
export const typeOfFile = (bytes: Uint8Array): (typeof types)[number] | null =>
  types.find((type) => beginnings[type].every((byte, index) => bytes[index] === byte)) ?? null

interface Given {
  readonly statement: string
  /** The chosen files, by kind. */
  readonly files: readonly { readonly kind: string; readonly bytes: Uint8Array }[]
}

type Problems = Readonly<Record<string, string[]>>

/** The evidence of a form, or the problems by field: `statement`, and the kind of a file. */
export function evidenceOf({ statement, files }: Given): { evidence: Evidence[] } | { problems: Problems } {
  const problems: Record<string, string[]> = {}
  const evidence: Evidence[] = []
  const text = statement.trim()
  if (text.length > evidenceLimits.characters)
    problems.statement = [`Must have at most ${evidenceLimits.characters} characters.`]
  else if (text !== '') evidence.push({ kind: 'statement', type: 'text/plain', bytes: new TextEncoder().encode(text) })
  for (const { kind, bytes } of files) {
    const known = evidenceKinds.find((each) => each === kind)
    if (!known) continue
    const type = typeOfFile(bytes)
    if (!type) problems[kind] = ['Must be a PDF, a JPEG image, or a PNG image.']
    else if (evidence.some((each) => each.kind === known)) problems[kind] = ['Must be one file.']
    else evidence.push({ kind: known, type, bytes })
  }
  const size = evidence.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (size > evidenceLimits.bytes) problems.other = ['All files together must have at most 4.5 MB (4,500,000 bytes).']
  if (Object.keys(problems).length > 0) return { problems }
  return evidence.length === 0 ? { problems: { statement: ['Write a statement, or choose a file.'] } } : { evidence }
}
