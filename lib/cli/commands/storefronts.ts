import { invalid } from '../../kernel/refusal.ts'
import type { Transferred } from '../../workflows/transfer/export.ts'
import { brandRecord, changesOf, writePreview } from '../brand.ts'
import { type Command, command } from '../command.ts'
import { customer, storefront } from '../flags.ts'
import { readPassphrase } from '../passphrase.ts'

const passphraseFile = {
  value: 'FILE',
  help: 'a file with the passphrase that seals the secrets, of 16 characters or more',
  required: true,
} as const

const cleared = (value: string, help: string) => ({ value, help, mayBeEmpty: true }) as const
const brandFlags = {
  'display-name': cleared('NAME', "what buyers read instead of the storefront's name"),
  logo: cleared('FILE', 'a PNG, JPEG, WebP or SVG image of at most 512 kB'),
  accent: cleared('#RRGGBB', 'the color of buttons and links, with a contrast of 4.5:1 to white'),
  'support-email': cleared('ADDRESS', 'where buyers ask questions'),
  'support-url': cleared('URL', 'a page with help, https'),
  'terms-url': cleared('URL', "instead of the configuration's, https"),
  'privacy-url': cleared('URL', "instead of the configuration's, https"),
} as const

const accounts = () => import('../../modules/accounts/operations.ts')
const brand = () => import('../../modules/brand/operations.ts')
const settings = () => import('../../workflows/storefronts/operations.ts')
const portal = () => import('../../modules/portal/operations.ts')
const transfers = {
  export: () => import('../../workflows/transfer/export.ts'),
  csv: () => import('../../workflows/transfer/csv.ts'),
  import: () => import('../../workflows/transfer/import.ts'),
  hold: () => import('../../workflows/transfer/hold.ts'),
}

/** A sentence about values that a lost key left unreadable in a moved storefront. */
const unopenedWords = ({ unopened }: Transferred): string =>
  unopened === 0
    ? ''
    : ` Encrypted values that no key decrypts: ${unopened}, such as emails, webhook secrets and bank details. ` +
      'They stay unreadable in both installations. If you find their key, put it into SECRET_KEY_PREVIOUS.'

type SettingFlag = 'disputes-end-subscriptions' | 'portal-quantity' | 'portal-plans'

/** Changes the given settings of a storefront, and returns them. */
async function setStorefront(storefront: string, flags: Readonly<Record<SettingFlag, string | undefined>>) {
  const { 'disputes-end-subscriptions': disputes, 'portal-quantity': quantity, 'portal-plans': plans } = flags
  const { setDisputesTyped, setPortalChangesTyped } = await settings()
  const ofPortal = quantity !== undefined || plans !== undefined
  if (disputes === undefined && !ofPortal) throw invalid('setting', 'Name at least one setting to change.')
  const asked = {
    quantity: quantity === undefined ? undefined : quantity === 'on',
    planIds: plans?.split(',').flatMap((id) => id.trim() || []),
  }
  return {
    ...(ofPortal && (await setPortalChangesTyped(storefront, asked))),
    ...(disputes !== undefined && (await setDisputesTyped(storefront, disputes === 'on'))),
  }
}

export const storefrontsCommands: readonly Command[] = [
  command({
    noun: 'merchant',
    verb: 'create',
    summary: 'Make a merchant',
    flags: { name: { value: 'NAME', help: 'what the company is called (Merchant)' } },
    run: async ({ name = 'Merchant' }) => (await accounts()).createMerchant({ name }),
  }),
  command({
    noun: 'storefront',
    verb: 'create',
    summary: 'Make a storefront with a key for each mode, shown this once',
    flags: {
      merchant: { value: 'ID', help: "the merchant's id", required: true },
      name: { value: 'NAME', help: 'what buyers read', required: true },
    },
    alwaysJson: true,
    run: async ({ merchant, name }) => (await accounts()).createStorefront({ merchantId: merchant, name }),
  }),
  command({
    noun: 'storefront',
    verb: 'set',
    summary: 'Set whether disputes end subscriptions, and what customers may change in the portal',
    flags: {
      storefront,
      'disputes-end-subscriptions': {
        value: 'on|off',
        help: 'whether a dispute for fraud, or because the subscription was canceled, ends the subscription (on)',
        oneOf: ['on', 'off'],
      },
      'portal-quantity': {
        value: 'on|off',
        help: 'whether customers may change the quantity (off)',
        oneOf: ['on', 'off'],
      },
      'portal-plans': {
        value: 'IDS',
        help: 'the plans, separated by commas, between which customers may switch; empty for none',
        mayBeEmpty: true,
      },
    },
    run: async ({ storefront, ...flags }) => setStorefront(storefront, flags),
  }),
  command({
    noun: 'storefront',
    verb: 'export',
    summary: 'Write all of a storefront, in both modes, to a file that another installation can import',
    flags: {
      storefront,
      out: { value: 'FILE', help: 'a file, or for csv a folder, that does not exist yet', required: true },
      'passphrase-file': { value: passphraseFile.value, help: passphraseFile.help },
      format: {
        value: 'file|csv',
        help: 'a file for `storefront import`, or the lists of the admin area as CSV (file)',
        oneOf: ['file', 'csv'],
      },
      bom: {
        value: 'yes|no',
        help: 'for csv: begin each file with the mark by which Excel knows UTF-8 (no)',
        oneOf: ['yes', 'no'],
      },
      as: {
        value: 'copy|move',
        help: 'a copy for the records, or a move: then the storefront is put on hold here (copy)',
        oneOf: ['copy', 'move'],
      },
    },
    async run({ storefront, out, as, format, bom, 'passphrase-file': file }) {
      if (format === 'csv' && as === 'move')
        throw invalid('as', 'A move needs a file that can be imported: leave out --format csv.')
      if (format === 'csv') return (await transfers.csv()).exportCsvFiles(storefront, out, { bom: bom === 'yes' })
      if (file === undefined) throw invalid('passphraseFile', 'Is needed: the secrets in the file are sealed with it.')
      const passphrase = await readPassphrase(file)
      const { exportStorefront } = await transfers.export()
      return exportStorefront({ storefrontId: storefront, out, passphrase, as: as === 'move' ? 'move' : 'copy' })
    },
    async lastWord(answer) {
      if ((answer as Partial<Transferred>).as === undefined)
        return 'They have personal data: keep them where nobody else reads them.'
      const what =
        (answer as Transferred).as === 'move'
          ? 'The storefront is on hold here. `storefront release` lets it go on here, if it is not imported elsewhere.'
          : 'It is a copy: the storefront continues here.'
      return `${what}${unopenedWords(answer as Transferred)}`
    },
  }),
  command({
    noun: 'storefront',
    verb: 'import',
    summary: 'Put a storefront of another installation into this one, on hold, whole or not at all',
    flags: {
      in: { value: 'FILE', help: 'a file that `storefront export` wrote', required: true },
      'passphrase-file': passphraseFile,
    },
    run: async ({ in: from, 'passphrase-file': file }) => {
      const passphrase = await readPassphrase(file)
      return (await transfers.import()).importStorefront({ in: from, passphrase })
    },
    async lastWord(answer) {
      const what =
        (answer as Transferred).as === 'move'
          ? 'It is on hold: `invariants` checks it, `storefront release` lets it go on here.'
          : 'It is on hold. The file is a copy: `storefront release` only once the other installation has stopped for good, or buyers are charged twice.'
      return `${what}${unopenedWords(answer as Transferred)}`
    },
  }),
  command({
    noun: 'storefront',
    verb: 'release',
    summary: 'Let a storefront go on that is on hold because it moves',
    flags: { storefront },
    run: async ({ storefront }) => (await transfers.hold()).release(storefront),
  }),
  command({
    noun: 'portal',
    verb: 'address',
    summary: "Show the page on which a storefront's customers ask for a link, in each mode",
    flags: { storefront },
    run: async ({ storefront }) => (await portal()).signInPages(storefront),
  }),
  command({
    noun: 'portal',
    verb: 'end',
    summary: "End a customer's portal links and sessions now",
    flags: { customer },
    run: async ({ customer }) => (await portal()).endSessions(customer),
  }),
  command({
    noun: 'brand',
    verb: 'show',
    summary: "Show the name and logo on a storefront's hosted pages and emails",
    flags: { storefront },
    run: async ({ storefront }) => brandRecord(await (await brand()).brandOf(storefront)),
  }),
  command({
    noun: 'brand',
    verb: 'set',
    summary: 'Change the brand of a storefront; an empty value clears its field',
    flags: { storefront, ...brandFlags },
    run: async ({ storefront, ...flags }) =>
      brandRecord(await (await brand()).saveBrand(storefront, await changesOf(flags))),
  }),
  command({
    noun: 'brand',
    verb: 'preview',
    summary: 'Write a page as HTML, in light and in dark, as it would look after such a change; save nothing',
    flags: { storefront, ...brandFlags, out: { value: 'FILE', help: 'where to write it (to the terminal)' } },
    run: async ({ storefront, out, ...flags }) => {
      const html = await (await brand()).previewBrand(storefront, await changesOf(flags))
      return out === undefined ? html : writePreview(out, html)
    },
  }),
]
