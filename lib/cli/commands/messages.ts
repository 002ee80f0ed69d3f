import { type Locale, locales } from '../../kernel/locale.ts'
import type { EmailKind } from '../../modules/emails/rules/email.ts'
import { emailKinds } from '../../modules/emails/rules/required.ts'
import { type Command, command } from '../command.ts'
import { eitherMode, filterOf, inMode, limit, mode, scopeOf, storefront } from '../flags.ts'

const emailKind = { value: 'KIND', help: 'the kind of email', required: true, oneOf: emailKinds } as const
const emails = () => import('../../modules/emails/operations.ts')
const webhooks = () => import('../../modules/webhooks/operations.ts')

export const messagesCommands: readonly Command[] = [
  command({
    noun: 'event',
    verb: 'list',
    summary: "List a storefront's newest events",
    flags: { storefront, mode: eitherMode, limit },
    run: async ({ storefront, ...filter }) => (await webhooks()).listEvents(storefront, filterOf(filter)),
  }),
  command({
    noun: 'delivery',
    verb: 'list',
    summary: "List a storefront's newest webhook deliveries with their attempts",
    flags: { storefront, mode: eitherMode, limit },
    run: async ({ storefront, ...filter }) => (await webhooks()).listDeliveries(storefront, filterOf(filter)),
  }),
  command({
    noun: 'delivery',
    verb: 'resend',
    summary: 'Send a webhook delivery again at once',
    flags: { delivery: { value: 'ID', help: "the delivery's id", required: true } },
    run: async ({ delivery }) => (await import('../../modules/webhooks/resend.ts')).resendDelivery(delivery),
  }),
  command({
    noun: 'endpoint',
    verb: 'list',
    summary: "List a storefront's webhook endpoints, and until when deliveries carry a signature of a replaced secret",
    flags: { storefront, mode: eitherMode },
    run: async ({ storefront, mode }) =>
      (await webhooks()).listEndpoints(storefront, filterOf({ mode, limit: undefined })),
  }),
  command({
    noun: 'endpoint',
    verb: 'end-previous-secret',
    summary: 'Stop the signatures with a replaced secret before their 24 hours end',
    flags: { endpoint: { value: 'ID', help: "the endpoint's id", required: true } },
    run: async ({ endpoint }) =>
      (await import('../../modules/webhooks/end-previous-secret.ts')).endPreviousSecret(endpoint),
  }),
  command({
    noun: 'email',
    verb: 'list',
    summary: "List a storefront's newest emails to customers with their text; --json adds the HTML",
    flags: { storefront, mode: eitherMode, limit },
    jsonOnly: ['html'],
    run: async ({ storefront, ...filter }) => (await emails()).listEmails(storefront, filterOf(filter)),
  }),
  command({
    noun: 'email',
    verb: 'kinds',
    summary: 'List the email kinds that a storefront sends, and why some kinds cannot be disabled',
    flags: { storefront },
    run: async ({ storefront }) => (await emails()).listKinds(storefront),
  }),
  command({
    noun: 'email',
    verb: 'enable',
    summary: 'Enable emails of a kind for a storefront',
    flags: { storefront, kind: emailKind },
    run: async ({ storefront, kind }) => (await emails()).switchKind(storefront, kind as EmailKind, true),
  }),
  command({
    noun: 'email',
    verb: 'disable',
    summary: 'Disable emails of a kind for a storefront, unless the law requires the emails',
    flags: { storefront, kind: emailKind },
    run: async ({ storefront, kind }) => (await emails()).switchKind(storefront, kind as EmailKind, false),
  }),
  command({
    noun: 'email',
    verb: 'preview',
    summary: 'Show an example of an email; --json adds the HTML',
    flags: {
      kind: emailKind,
      locale: { value: 'LANGUAGE', help: 'the language (default: en)', oneOf: locales },
      storefront: { value: 'ID', help: 'the storefront whose brand the email shows (default: no brand)' },
    },
    jsonOnly: ['html'],
    run: async ({ kind, locale = 'en', storefront }) =>
      (await emails()).previewEmail(kind as EmailKind, locale as Locale, storefront),
  }),
  command({
    noun: 'email',
    verb: 'suppressed',
    summary: 'List the suppressed addresses of a storefront: emails to them bounced permanently or caused a complaint',
    flags: { storefront, mode: eitherMode, limit },
    run: async ({ storefront, ...filter }) => (await emails()).listSuppressed(storefront, filterOf(filter)),
  }),
  command({
    noun: 'email',
    verb: 'lift',
    summary: 'Allow emails of a storefront to a suppressed address again',
    flags: { storefront, mode, address: { value: 'ADDRESS', help: 'the email address', required: true } },
    run: async ({ storefront, mode, address }) =>
      inMode(mode, async () => (await emails()).liftSuppression(scopeOf(storefront, mode), address)),
  }),
  command({
    noun: 'email',
    verb: 'resend',
    summary: 'Send an email again, at most three times',
    flags: { email: { value: 'ID', help: "the email's id", required: true } },
    run: async ({ email }) => (await emails()).resendEmail(email),
  }),
]
