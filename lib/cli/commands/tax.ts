import { type Cell, csvTable, type FieldNames } from '../../kernel/csv.ts'
import { taxColumns } from '../../workflows/tax-returns/columns.ts'
import { type Command, command } from '../command.ts'
import { month, taxReturnFlags } from '../flags.ts'

const tax = () => import('../../modules/tax/operations.ts')
const taxReturns = () => import('../../workflows/tax-returns/operations.ts')

const periodAsked = (flags: { period: string; mode?: string | undefined; storefront?: string | undefined }) => ({
  period: flags.period,
  testmode: flags.mode === 'test',
  storefrontId: flags.storefront ?? null,
})

async function written<
  Row extends { readonly [Name in keyof Row]: Cell },
  const Names extends readonly (keyof Row & string)[],
>(
  { format }: { format?: string | undefined },
  rows: Promise<Row[]>,
  names: FieldNames<Row, Names>,
): Promise<Row[] | string> {
  return format === 'csv' ? csvTable(await rows, names) : rows
}

export const taxCommands: readonly Command[] = [
  command({
    noun: 'registration',
    verb: 'add',
    summary:
      'Add a tax registration of the seller; outside the EU, live mode collects foreign tax only in ' +
      'registered countries',
    flags: {
      country: { value: 'GB', help: 'the two-letter code of the country', required: true },
      region: { value: 'QC', help: 'a province of Canada with its own tax' },
      number: { value: 'NUMBER', help: 'the number of the registration', required: true },
      scheme: {
        value: 'local|oss|ioss',
        help: 'how the tax is declared (default: local); oss: the One Stop Shop, for the file of `tax-return oss`; EU taxes are charged also without it',
        oneOf: ['local', 'oss', 'ioss'],
      },
      from: { value: 'DAY', help: 'the first day, such as 2026-11-23', required: true },
      until: { value: 'DAY', help: 'the last day' },
    },
    run: async ({ scheme = 'local', ...given }) => (await tax()).addRegistration({ ...given, scheme }),
  }),
  command({
    noun: 'registration',
    verb: 'list',
    summary: 'List the tax registrations of the seller',
    flags: {},
    run: async () => (await tax()).listRegistrations(),
  }),
  command({
    noun: 'registration',
    verb: 'end',
    summary: 'Set the last day of a tax registration',
    flags: {
      registration: { value: 'ID', help: "the registration's id", required: true },
      until: { value: 'DAY', help: 'the last day, such as 2026-12-31', required: true },
    },
    run: async ({ registration, until }) => (await tax()).endRegistration(registration, until),
  }),
  command({
    noun: 'tax-return',
    verb: 'oss',
    summary: 'Show the One Stop Shop return for a quarter in euros, with the balance of each member state',
    flags: {
      period: { ...month, help: 'the quarter, such as 2026-Q4' },
      ...taxReturnFlags,
      format: {
        value: 'table|csv|portal',
        help: 'the format of the output (default: table); portal: the upload file for the member state of registration, for a quarter that has ended',
        oneOf: ['table', 'csv', 'portal'],
      },
    },
    run: async (flags) =>
      flags.format === 'portal'
        ? (await taxReturns()).ossFileOf(periodAsked(flags))
        : written(flags, (await taxReturns()).ossReturnOf(periodAsked(flags)), taxColumns.oss),
  }),
  command({
    noun: 'tax-return',
    verb: 'sales-list',
    summary: 'Show the EC sales list in euros: reverse-charge sales to companies in other member states',
    flags: { period: month, ...taxReturnFlags },
    run: async (flags) => written(flags, (await taxReturns()).salesListFor(periodAsked(flags)), taxColumns.salesList),
  }),
  command({
    noun: 'tax-return',
    verb: 'thresholds',
    summary: 'Show the sales of a year to consumers in other countries in euros, with the thresholds that apply',
    flags: { period: { ...month, help: 'the year, such as 2026' }, ...taxReturnFlags },
    run: async (flags) => written(flags, (await taxReturns()).thresholdsFor(periodAsked(flags)), taxColumns.thresholds),
  }),
  command({
    noun: 'tax-return',
    verb: 'totals',
    summary: 'Show sales and credits by country and rate, with the tax in the ledger; exit code 1 if the taxes differ',
    flags: { period: month, ...taxReturnFlags },
    isBad: (rows) => Array.isArray(rows) && rows.some(({ difference }) => difference !== null && difference !== '0.00'),
    run: async (flags) => written(flags, (await taxReturns()).taxTotalsFor(periodAsked(flags)), taxColumns.totals),
  }),
]
