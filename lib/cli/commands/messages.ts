import { type Locale, locales } from '../../kernel/locale.ts'
import type { EmailKind } from '../../modules/emails/rules/email.ts'
import { emailKinds } from '../../modules/emails/rules/required.ts'
import { type Command, command } from '../command.ts'
import { eitherMode, filterOf, inMode, limit, mode, scopeOf, storefront } from '../flags.ts'

const emailKind = { value: 'KIND', help: 'the kind', required: true, oneOf: emailKinds } as const
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
    summary: 'Deliver once more, at once',
    flags: { delivery: { value: 'ID', help: "the delivery's id", required: true } },
    run: async ({ delivery }) => (await import('../../modules/webhooks/resend.ts')).resendDelivery(delivery),
  }),
  command({
    noun: 'endpoint',
    verb: 'list',
    summary: "List a storefront's webhook endpoints, and until when a replaced secret signs",
    flags: { storefront, mode: eitherMode },
    run: async ({ storefront, mode }) =>
      (await webhooks()).listEndpoints(storefront, filterOf({ mode, limit: undefined })),
  }),
  command({
    noun: 'endpoint',
    verb: 'end-previous-secret',
    summary: 'End the signatures with a replaced secret before its 24 hours are over',
    flags: { endpoint: { value: 'ID', help: "the endpoint's id", required: true } },
    run: async ({ endpoint }) =>
      (await import('../../modules/webhooks/end-previous-secret.ts')).endPreviousSecret(endpoint),
  }),
  command({
    noun: 'email',
    verb: 'list',
    summary: "List a storefront's newest emails to its customers, with their text; with --json their HTML too",
    flags: { storefront, mode: eitherMode, limit },
    jsonOnly: ['html'],
    run: async ({ storefront, ...filter }) => (await emails()).listEmails(storefront, filterOf(filter)),
  }),
  command({
    noun: 'email',
    verb: 'kinds',
    summary: 'List which emails a storefront sends, by kind, and why some cannot be switched off',
    flags: { storefront },
    run: async ({ storefront }) => (await emails()).listKinds(storefront),
  }),
  command({
    noun: 'email',
    verb: 'enable',
    summary: 'Let a storefront send emails of a kind again',
    flags: { storefront, kind: emailKind },
    run: async ({ storefront, kind }) => (await emails()).switchKind(storefront, kind as EmailKind, true),
  }),
  command({
    noun: 'email',
    verb: 'disable',
    summary: 'Stop the emails of a kind that the law does not require',
    flags: { storefront, kind: emailKind },
    run: async ({ storefront, kind }) => (await emails()).switchKind(storefront, kind as EmailKind, false),
  }),
  command({
    noun: 'email',
    verb: 'preview',
    summary: 'Show an example of an email; with --json its HTML too',
    flags: {
      kind: emailKind,
      locale: { value: 'LANGUAGE', help: 'the language (en)', oneOf: locales },
      storefront: { value: 'ID', help: 'the storefront whose brand it has (none)' },
    },
    jsonOnly: ['html'],
    run: async ({ kind, locale = 'en', storefront }) =>
      (await emails()).previewEmail(kind as EmailKind, locale as Locale, storefront),
  }),
  command({
    noun: 'email',
    verb: 'suppressed',
    summary:
      'List the addresses that a storefront does not write to, since emails came back for good or were complained about',
    flags: { storefront, mode: eitherMode, limit },
    run: async ({ storefront, ...filter }) => (await emails()).listSuppressed(storefront, filterOf(filter)),
  }),
  command({
    noun: 'email',
    verb: 'lift',
    summary: 'Let a storefront write to such an address again',
    flags: { storefront, mode, address: { value: 'ADDRESS', help: 'the e-mail address', required: true } },
    run: async ({ storefront, mode, address }) =>
      inMode(mode, async () => (await emails()).liftSuppression(scopeOf(storefront, mode), address)),
  }),
  command({
    noun: 'email',
    verb: 'resend',
    summary: 'Send an email again, three times at most',
    flags: { email: { value: 'ID', help: "the mail's id", required: true } },
    run: async ({ email }) => (await emails()).resendEmail(email),
  }),
]
