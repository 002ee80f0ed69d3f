import { csvTable } from '../../kernel/csv.ts'
import { type Command, command } from '../command.ts'
import { month, taxReturnFlags } from '../flags.ts'

const tax = () => import('../../modules/tax/operations.ts')
const taxReturns = () => import('../../workflows/tax-returns/operations.ts')

const periodAsked = (flags: { period: string; mode?: string | undefined; storefront?: string | undefined }) => ({
  period: flags.period,
  testmode: flags.mode === 'test',
  storefrontId: flags.storefront ?? null,
})

async function written<Row extends Record<string, string | number | null>>(
  { format }: { format?: string | undefined },
  rows: Promise<Row[]>,
): Promise<Row[] | string> {
  return format === 'csv' ? csvTable(await rows) : rows
}

export const taxCommands: readonly Command[] = [
  command({
    noun: 'registration',
    verb: 'add',
    summary: 'Enter where the seller is registered for tax: abroad outside the EU, live mode collects it nowhere else',
    flags: {
      country: { value: 'GB', help: 'the two-letter code of the country', required: true },
      region: { value: 'QC', help: 'a province of Canada with a tax of its own' },
      number: { value: 'NUMBER', help: 'the number of the registration', required: true },
      scheme: {
        value: 'local|oss|ioss',
        help: "how it is declared (local); oss: the One Stop Shop, for the file of `tax-return oss`: the EU's taxes are charged without it",
        oneOf: ['local', 'oss', 'ioss'],
      },
      from: { value: 'DAY', help: 'its first day, such as 2026-11-23', required: true },
      until: { value: 'DAY', help: 'its last day' },
    },
    run: async ({ scheme = 'local', ...given }) => (await tax()).addRegistration({ ...given, scheme }),
  }),
  command({
    noun: 'registration',
    verb: 'list',
    summary: 'List where the seller is registered for tax',
    flags: {},
    run: async () => (await tax()).listRegistrations(),
  }),
  command({
    noun: 'registration',
    verb: 'end',
    summary: 'End a registration with a day',
    flags: {
      registration: { value: 'ID', help: "the registration's id", required: true },
      until: { value: 'DAY', help: 'its last day, such as 2026-12-31', required: true },
    },
    run: async ({ registration, until }) => (await tax()).endRegistration(registration, until),
  }),
  command({
    noun: 'tax-return',
    verb: 'oss',
    summary: "Show the One Stop Shop's return for a quarter, with the balance of each member state, in euros",
    flags: {
      period: { ...month, help: 'the quarter, such as 2026-Q4' },
      ...taxReturnFlags,
      format: {
        value: 'table|csv|portal',
        help: "how it is written (table); portal: for the upload where the seller's registration is, of a quarter that has ended",
        oneOf: ['table', 'csv', 'portal'],
      },
    },
    run: async (flags) =>
      flags.format === 'portal'
        ? (await taxReturns()).ossFileOf(periodAsked(flags))
        : written(flags, (await taxReturns()).ossReturnOf(periodAsked(flags))),
  }),
  command({
    noun: 'tax-return',
    verb: 'sales-list',
    summary: 'Show the EC sales list: what companies in other member states bought with reverse charge, in euros',
    flags: { period: month, ...taxReturnFlags },
    run: async (flags) => written(flags, (await taxReturns()).salesListFor(periodAsked(flags))),
  }),
  command({
    noun: 'tax-return',
    verb: 'thresholds',
    summary: 'Show what consumers in other countries bought in a year, in euros, beside the thresholds that count it',
    flags: { period: { ...month, help: 'the year, such as 2026' }, ...taxReturnFlags },
    run: async (flags) => written(flags, (await taxReturns()).thresholdsFor(periodAsked(flags))),
  }),
  command({
    noun: 'tax-return',
    verb: 'totals',
    summary: 'Show what was sold and credited by country and rate, beside the tax in the ledger; fails if they differ',
    flags: { period: month, ...taxReturnFlags },
    isBad: (rows) => Array.isArray(rows) && rows.some(({ difference }) => difference !== null && difference !== '0.00'),
    run: async (flags) => written(flags, (await taxReturns()).taxTotalsFor(periodAsked(flags))),
  }),
]
