import { invalid } from '../../kernel/refusal.ts'
import type { Transferred } from '../../workflows/transfer/export.ts'
import { brandRecord, changesOf, writePreview } from '../brand.ts'
import { type Command, command } from '../command.ts'
import { customer, filterOf, limit, storefront } from '../flags.ts'
import { readPassphrase } from '../passphrase.ts'

const passphraseFile = {
  value: 'FILE',
  help: 'a file with the passphrase that encrypts the secrets, at least 16 characters',
  required: true,
} as const

const cleared = (value: string, help: string) => ({ value, help, mayBeEmpty: true }) as const
const brandFlags = {
  'display-name': cleared('NAME', "the name that buyers read, instead of the storefront's name"),
  logo: cleared('FILE', 'a PNG, JPEG, WebP or SVG image of at most 512 kB'),
  accent: cleared('#RRGGBB', 'the color of buttons and links, with a contrast of 4.5:1 to white'),
  'support-email': cleared('ADDRESS', 'the address to which buyers send questions'),
  'support-url': cleared('URL', 'the https address of a help page'),
  'terms-url': cleared('URL', 'the https address of the terms, instead of TERMS_URL'),
  'privacy-url': cleared('URL', 'the https address of the privacy policy, instead of PRIVACY_URL'),
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

const unopenedWords = ({ unopened }: Transferred): string =>
  unopened === 0
    ? ''
    : ` Encrypted values that no key decrypts: ${unopened}, such as emails, webhook secrets and bank details. ` +
      'They stay unreadable in both installations. If you find their key, put it into SECRET_KEY_PREVIOUS.'

type SettingFlag = 'disputes-end-subscriptions' | 'portal-quantity' | 'portal-plans'

async function setStorefront(storefront: string, flags: Readonly<Record<SettingFlag, string | undefined>>) {
  const { 'disputes-end-subscriptions': disputes, 'portal-quantity': quantity, 'portal-plans': plans } = flags
  const { setDisputesTyped, setPortalChangesTyped } = await settings()
  const ofPortal = quantity !== undefined || plans !== undefined
  if (disputes === undefined && !ofPortal) throw invalid('setting', 'Give at least one setting to change.')
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
    summary: 'Create a merchant',
    flags: { name: { value: 'NAME', help: 'the name of the company (default: Merchant)' } },
    run: async ({ name = 'Merchant' }) => (await accounts()).createMerchant({ name }),
  }),
  command({
    noun: 'storefront',
    verb: 'create',
    summary: 'Create a storefront with an API key for each mode; the keys are shown only once',
    flags: {
      merchant: { value: 'ID', help: "the merchant's id", required: true },
      name: { value: 'NAME', help: 'the name that buyers read', required: true },
    },
    alwaysJson: true,
    run: async ({ merchant, name }) => (await accounts()).createStorefront({ merchantId: merchant, name }),
  }),
  command({
    noun: 'storefront',
    verb: 'list',
    summary: 'List the newest storefronts with their merchants, and since when they are suspended or on hold',
    flags: { limit },
    run: async ({ limit }) => (await accounts()).listStorefronts(filterOf({ mode: undefined, limit })),
  }),
  command({
    noun: 'storefront',
    verb: 'set',
    summary: 'Set whether disputes end subscriptions, and what customers may change in the portal',
    flags: {
      storefront,
      'disputes-end-subscriptions': {
        value: 'on|off',
        help: 'whether a dispute for fraud, or because the subscription was canceled, ends the subscription (default: on)',
        oneOf: ['on', 'off'],
      },
      'portal-quantity': {
        value: 'on|off',
        help: 'whether customers may change the quantity (default: off)',
        oneOf: ['on', 'off'],
      },
      'portal-plans': {
        value: 'IDS',
        help: 'the ids of the plans between which customers may switch, comma-separated; empty for no plans',
        mayBeEmpty: true,
      },
    },
    run: async ({ storefront, ...flags }) => setStorefront(storefront, flags),
  }),
  command({
    noun: 'storefront',
    verb: 'export',
    summary: 'Write all data of a storefront, in both modes, to a file that another installation can import',
    flags: {
      storefront,
      out: { value: 'FILE', help: 'the path of a new file, or of a new folder for csv', required: true },
      'passphrase-file': { value: passphraseFile.value, help: passphraseFile.help },
      format: {
        value: 'file|csv',
        help: 'a file for `storefront import`, or the lists of the admin area as CSV (default: file)',
        oneOf: ['file', 'csv'],
      },
      bom: {
        value: 'yes|no',
        help: 'for csv: whether each file begins with a byte order mark, from which Excel detects UTF-8 (default: no)',
        oneOf: ['yes', 'no'],
      },
      as: {
        value: 'copy|move',
        help: 'copy: the storefront continues here; move: the storefront is put on hold here (default: copy)',
        oneOf: ['copy', 'move'],
      },
    },
    async run({ storefront, out, as, format, bom, 'passphrase-file': file }) {
      if (format === 'csv' && as === 'move')
        throw invalid('as', 'A move needs a file that can be imported. Remove --format csv.')
      if (format === 'csv') return (await transfers.csv()).exportCsvFiles(storefront, out, { bom: bom === 'yes' })
      if (file === undefined)
        throw invalid('passphraseFile', 'Is required, because the passphrase encrypts the secrets in the file.')
      const passphrase = await readPassphrase(file)
      const { exportStorefront } = await transfers.export()
      return exportStorefront({ storefrontId: storefront, out, passphrase, as: as === 'move' ? 'move' : 'copy' })
    },
    async lastWord(answer) {
      if ((answer as Partial<Transferred>).as === undefined)
        return 'The files contain personal data. Store them where nobody else can read them.'
      const what =
        (answer as Transferred).as === 'move'
          ? 'The storefront is on hold here. If no other installation imports the file, end the hold with `storefront release`.'
          : 'The file is a copy. The storefront continues here.'
      return `${what}${unopenedWords(answer as Transferred)}`
    },
  }),
  command({
    noun: 'storefront',
    verb: 'import',
    summary: 'Import a storefront from another installation, completely or not at all, and put it on hold',
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
          ? 'The storefront is on hold. Check the data with `invariants`, then end the hold with `storefront release`.'
          : 'The storefront is on hold, and the file is a copy. Run `storefront release` only after the other installation has stopped permanently. Otherwise, buyers are charged twice.'
      return `${what}${unopenedWords(answer as Transferred)}`
    },
  }),
  command({
    noun: 'storefront',
    verb: 'release',
    summary: 'End the hold of a moved storefront, so that it sells and charges in this installation',
    flags: { storefront },
    run: async ({ storefront }) => (await transfers.hold()).release(storefront),
  }),
  command({
    noun: 'portal',
    verb: 'address',
    summary: "Show the addresses of a storefront's portal sign-in pages, for test mode and live mode",
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
    summary: 'Change the brand of a storefront; an empty value clears the field',
    flags: { storefront, ...brandFlags },
    run: async ({ storefront, ...flags }) =>
      brandRecord(await (await brand()).saveBrand(storefront, await changesOf(flags))),
  }),
  command({
    noun: 'brand',
    verb: 'preview',
    summary: 'Write a preview page as HTML, in light and dark, with the given changes; nothing is saved',
    flags: { storefront, ...brandFlags, out: { value: 'FILE', help: 'the file to write (default: the terminal)' } },
    run: async ({ storefront, out, ...flags }) => {
      const html = await (await brand()).previewBrand(storefront, await changesOf(flags))
      return out === undefined ? html : writePreview(out, html)
    },
  }),
]
