import { type RuleProblem, ruleProblem } from '../../../kernel/rule-problem.ts'

export const evidenceKinds = ['communication', 'receipt', 'service', 'other'] as const
type FileKind = (typeof evidenceKinds)[number]
export type EvidenceKind = FileKind | 'statement'

const types = ['application/pdf', 'image/jpeg', 'image/png'] as const
export type EvidenceType = (typeof types)[number] | 'text/plain'

/** `bytes` is Stripe's limit for all files of a dispute. `characters` is our limit of a statement, below Stripe's limit of 20,000. */
export const evidenceLimits = { bytes: 4_500_000, characters: 5_000 } as const

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

export const typeOfFile = (bytes: Uint8Array): (typeof types)[number] | null =>
  types.find((type) => beginnings[type].every((byte, index) => bytes[index] === byte)) ?? null

export const evidenceTooLarge = ruleProblem('evidence_size')

interface Given {
  readonly statement: string
  readonly files: readonly { readonly kind: string; readonly bytes: Uint8Array }[]
}

type Problems = Readonly<Record<string, RuleProblem[]>>

/** Returns the evidence, or the problems by field. A field is `statement` or the kind of a file. */
export function evidenceOf({ statement, files }: Given): { evidence: Evidence[] } | { problems: Problems } {
  const problems: Record<string, RuleProblem[]> = {}
  const evidence: Evidence[] = []
  const text = statement.trim()
  if (text.length > evidenceLimits.characters)
    problems.statement = [ruleProblem('characters_at_most', { most: evidenceLimits.characters })]
  else if (text !== '') evidence.push({ kind: 'statement', type: 'text/plain', bytes: new TextEncoder().encode(text) })
  for (const { kind, bytes } of files) {
    const known = evidenceKinds.find((each) => each === kind)
    if (!known) continue
    const type = typeOfFile(bytes)
    if (!type) problems[kind] = [ruleProblem('evidence_type')]
    else if (evidence.some((each) => each.kind === known)) problems[kind] = [ruleProblem('evidence_one_file')]
    else evidence.push({ kind: known, type, bytes })
  }
  const size = evidence.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (size > evidenceLimits.bytes) problems.other = [evidenceTooLarge]
  if (Object.keys(problems).length > 0) return { problems }
  return evidence.length === 0 ? { problems: { statement: [ruleProblem('evidence_missing')] } } : { evidence }
}
