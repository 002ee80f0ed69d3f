import { z } from 'zod'
import { canonicalEmail } from '../../kernel/email.ts'
import { isId } from '../../kernel/ids.ts'
import { Moment, text } from '../../platform/http/shapes.ts'

const mostNotices = 500

const Address = z
  .string()
  .refine((value) => canonicalEmail(value) !== null, { error: 'Must be an email address.' })
  .transform((value) => canonicalEmail(value) ?? value)

/** Parses `<mail_...@domain>`, with or without brackets and domain, and returns our id. Returns null for any other Message-ID. */
const MessageId = text({ max: 998 }).transform((value) => {
  const [id = ''] = value.trim().replace(/^</, '').split('@')
  return isId('mail_', id) ? id : null
})

const Notice = z
  .object({
    type: z.enum(['bounce', 'complaint'], { error: 'Must be "bounce" or "complaint".' }),
    messageId: MessageId.nullish(),
    address: Address.nullish(),
    permanent: z.boolean().default(false),
    at: Moment,
    reason: text({ max: 500, multiline: true }).nullish(),
  })
  .refine(({ messageId, address }) => messageId !== undefined || address, {
    path: ['messageId'],
    error: 'Required if the address is missing.',
  })

export const NoticesShape = z.object({
  notices: z
    .array(Notice)
    .min(1, { error: 'Must have at least one notice.' })
    .max(mostNotices, { error: `Must have at most ${mostNotices} notices.` }),
})
export type Notice = z.infer<typeof Notice>
