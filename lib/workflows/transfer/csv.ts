import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Columns, csvHeader, csvRows, withByteOrderMark } from '../../kernel/csv.ts'
import { invalid } from '../../kernel/refusal.ts'
import { findStorefront, type Storefront } from '../../modules/accounts/store.ts'
import { commandLine } from '../../modules/audit/command-line.ts'
import { writeAudit } from '../../modules/audit/write.ts'
import { orderResource } from '../../modules/orders/resource.ts'
import { pageOfOrders } from '../../modules/orders/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { exports, partsOf } from '../csv-lists/lists.ts'

/** Each list has its own file. The catalog has two files: one for plans, and one for products. */
const lists = Object.keys(exports).flatMap((section) =>
  section === 'catalog'
    ? [
        { file: 'plans', section, filters: { kind: 'subscription_plan' } },
        { file: 'products', section, filters: { kind: 'one_off_product' } },
      ]
    : [{ file: section, section, filters: {} }],
) as { file: string; section: keyof typeof exports; filters: Record<string, string> }[]

/**
 * If `bom` is set, each file starts with the byte order mark of UTF-8. Refuses with `validation_failed` if the storefront is unknown, or if the folder `out`
 * cannot be created.
 */
export async function exportCsvFiles(
  storefrontId: string,
  out: string,
  { bom = false }: { bom?: boolean } = {},
): Promise<{ folder: string; files: string[] }> {
  const storefront = await findStorefront(db(), storefrontId)
  if (!storefront) throw invalid('storefront', 'There is no storefront with this id.')
  await mkdir(out, { mode: 0o700 }).catch((error) => {
    const isTaken = error.code === 'EEXIST'
    throw invalid(
      'out',
      isTaken ? 'A file or folder with this name already exists.' : `The folder cannot be created (${error.code}).`,
    )
  })
  try {
    const files = await writeAll(storefront, out, bom ? withByteOrderMark : (parts) => parts)
    await db().$transaction((sql) =>
      writeAudit(sql, commandLine(), {
        action: 'storefront.export',
        subject: storefrontId,
        before: null,
        after: { as: 'csv', files: files.length },
      }),
    )
    return { folder: out, files }
  } catch (error) {
    await rm(out, { recursive: true, force: true })
    throw error
  }
}

type Parts = AsyncGenerator<string>

async function writeAll(storefront: Storefront, folder: string, marked: (parts: Parts) => Parts): Promise<string[]> {
  const files: string[] = []
  for (const mode of ['live', 'test'] as const) {
    const tenant = { storefrontId: storefront.id, testmode: mode === 'test' }
    for (const { file, section, filters } of lists) {
      const { read, columns } = exports[section]
      const parts = partsOf((page) => read({ tenant, storefront }, page, filters), columns)
      files.push(await writeCsv(path.join(folder, `${mode}-${file}.csv`), marked(parts)))
    }
    files.push(await writeCsv(path.join(folder, `${mode}-order-lines.csv`), marked(orderLines(tenant))))
  }
  return files
}

async function writeCsv(file: string, parts: Parts): Promise<string> {
  await pipeline(parts, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
  return path.basename(file)
}

type OrderShown = ReturnType<typeof orderResource>
type OrderLine = OrderShown['lines'][number] & { readonly order: OrderShown }

const lineColumns: Columns<OrderLine> = {
  id: ({ id }) => id,
  orderId: ({ order }) => order.id,
  invoiceNumber: ({ order }) => order.invoiceNumber,
  createdAt: ({ order }) => order.createdAt,
  status: ({ order }) => order.status,
  description: ({ description }) => description,
  quantity: ({ quantity }) => quantity,
  currency: ({ total }) => total.currency,
  basePrice: ({ basePrice }) => basePrice.value,
  subtotal: ({ subtotal }) => subtotal.value,
  total: ({ total }) => total.value,
  taxes: ({ taxes }) => taxes.map(({ taxRate, amount }) => `${taxRate.name} ${amount.value}`).join('; '),
}

/** Yields one row per order line, unlike the list in the admin area, which has one row per order. */
async function* orderLines(tenant: Tenant): AsyncGenerator<string> {
  yield csvHeader(lineColumns)
  let startingAfter: string | undefined
  do {
    const { rows, next } = await pageOfOrders(db(), tenant, { limit: 200, startingAfter }, {})
    const lines = rows.map(orderResource).flatMap((order) => order.lines.map((line) => ({ ...line, order })))
    yield csvRows(lines, lineColumns)
    startingAfter = next ? rows.at(-1)?.id : undefined
  } while (startingAfter !== undefined)
}
