import type Stripe from 'stripe'
import type { PaymentProvider } from '../../modules/payments/provider.ts'
import { type Ask, StripeRefused } from './client.ts'
import { getDispute } from './lookups.ts'

type Request = Parameters<NonNullable<PaymentProvider['submitEvidence']>>[1]
type Part = Request['evidence'][number]

/** The field of a dispute for each kind of evidence. */
const fields = {
  statement: 'uncategorized_text',
  communication: 'customer_communication',
  receipt: 'receipt',
  service: 'service_documentation',
  other: 'uncategorized_file',
} as const satisfies Record<Part['kind'], keyof Stripe.DisputeUpdateParams.Evidence>

const extensions = { 'text/plain': 'txt', 'application/pdf': 'pdf', 'image/jpeg': 'jpg', 'image/png': 'png' } as const

/**
 * Uploads the files of a merchant, and submits them with the dispute, which goes to the bank at once. A repeated upload leaves an
 * unused file, and a dispute takes evidence once. The names of files say nothing of the buyer.
 */
export async function submitEvidence(ask: Ask, { ref, evidence }: Request): Promise<{ isTaken: boolean }> {
  const [, id = ''] = ref.split('/')
  try {
    const given: Stripe.DisputeUpdateParams.Evidence = {}
    for (const part of evidence) given[fields[part.kind]] = await contentOf(ask, part)
    const idempotencyKey = ['evidence', evidence[0]?.id ?? id, ...Object.values(given).filter(isFile)].join(' ')
    await ask((api) => api.disputes.update(id, { evidence: given, submit: true }, { idempotencyKey }))
    return { isTaken: true }
  } catch (error) {
    if (!(error instanceof StripeRefused)) throw error
    // An earlier request may have submitted the evidence.
    return { isTaken: (await getDispute(ask, id)).status !== 'needs_response' }
  }
}

const isFile = (value: unknown): value is string => typeof value === 'string' && value.startsWith('file_')

async function contentOf(ask: Ask, { kind, type, bytes }: Part): Promise<string> {
  if (kind === 'statement') return new TextDecoder().decode(bytes)
  const file = { data: Buffer.from(bytes), name: `${kind}.${extensions[type]}`, type }
  return (await ask((api) => api.files.create({ purpose: 'dispute_evidence', file }))).id
}
