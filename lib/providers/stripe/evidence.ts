import type Stripe from 'stripe'
import type { EvidenceOutcome, PaymentProvider } from '../../modules/payments/provider.ts'
import { type Ask, StripeRefused } from './client.ts'
import { getDispute } from './lookups.ts'

type Request = Parameters<NonNullable<PaymentProvider['submitEvidence']>>[1]
type Part = Request['evidence'][number]

const fields = {
  statement: 'uncategorized_text',
  communication: 'customer_communication',
  receipt: 'receipt',
  service: 'service_documentation',
  other: 'uncategorized_file',
} as const satisfies Record<Part['kind'], keyof Stripe.DisputeUpdateParams.Evidence>

const extensions = { 'text/plain': 'txt', 'application/pdf': 'pdf', 'image/jpeg': 'jpg', 'image/png': 'png' } as const

/**
 * Uploads the files and submits the evidence. A retry uploads the files again, but Stripe accepts evidence for a
 * dispute only one time. If the dispute no longer needs a response, its metadata show whether our evidence was
 * submitted.
 */
export async function submitEvidence(ask: Ask, { ref, evidence }: Request): Promise<EvidenceOutcome> {
  const [, id = ''] = ref.split('/')
  const mark = evidence[0]?.id ?? id
  const ended = await endOf(ask, id, mark)
  if (ended) return ended
  try {
    const given: Stripe.DisputeUpdateParams.Evidence = {}
    for (const part of evidence) given[fields[part.kind]] = await contentOf(ask, part)
    const idempotencyKey = ['evidence', mark, ...Object.values(given).filter(isFile)].join(' ')
    const params = { evidence: given, metadata: { evidence: mark }, submit: true }
    await ask((api) => api.disputes.update(id, params, { idempotencyKey }))
    return 'taken'
  } catch (error) {
    if (!(error instanceof StripeRefused)) throw error
    return (await endOf(ask, id, mark)) ?? 'refused'
  }
}

async function endOf(ask: Ask, id: string, mark: string): Promise<'taken' | 'late' | null> {
  const { status, metadata } = await getDispute(ask, id)
  if (status === 'needs_response') return null
  return metadata.evidence === mark ? 'taken' : 'late'
}

const isFile = (value: unknown): value is string => typeof value === 'string' && value.startsWith('file_')

async function contentOf(ask: Ask, { kind, type, bytes }: Part): Promise<string> {
  if (kind === 'statement') return new TextDecoder().decode(bytes)
  const file = { data: Buffer.from(bytes), name: `${kind}.${extensions[type]}`, type }
  return (await ask((api) => api.files.create({ purpose: 'dispute_evidence', file }))).id
}
