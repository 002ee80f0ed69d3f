import { amount } from '../kernel/money.ts'
import { Refusal } from '../kernel/refusal.ts'
import { sepaReference } from '../kernel/sepa.ts'
import { isStorableText } from '../kernel/text.ts'
import { storefrontNames } from '../modules/accounts/store.ts'
import { writeAudit } from '../modules/audit/write.ts'
import { exportedBefore, exportPayouts } from '../modules/payouts/export.ts'
import {
  liveOpenPayouts,
  liveSuspendedPayouts,
  newestLiveBatches,
  requestedLivePayouts,
} from '../modules/payouts/export-store.ts'
import { movePayoutsTyped } from '../modules/payouts/operations.ts'
import type { PayoutFilesPage } from '../modules/payouts/page.ts'
import { db } from '../platform/db/db.ts'
import { staffOn } from './access.ts'
import { newFormKey } from './act.ts'
import { mostCounted } from './attention.ts'
import { formState, type Next } from './form-state.ts'
import { staffAct, toConfirmFile } from './staff-act.ts'

const page = '/admin/payout-files'
const filesOnPage = 20
const payoutsOnPage = 50
/** Marking a payout takes a few milliseconds, so a form with this number of payouts responds within seconds. */
const mostMarked = 500

export async function payoutFilesPage(form: string | null, cookies: string | null): Promise<PayoutFilesPage | null> {
  const staff = await staffOn('payout-files', cookies)
  if (!staff) return null
  const { problems } = formState(staff, form, cookies)
  const requested = await requestedLivePayouts(db(), payoutsOnPage)
  const names = await storefrontNames(
    db(),
    requested.map(({ storefrontId }) => storefrontId),
  )
  return {
    waiting: requested.map(({ id, storefrontId, amount: cents, createdAt }) => ({
      id,
      storefront: names.get(storefrontId) ?? '',
      url: `/admin/live/${storefrontId}/balance`,
      amount: amount(cents, 'EUR'),
      createdAt: createdAt.toISOString(),
    })),
    count: (await liveOpenPayouts(db(), 'requested', mostCounted)).count,
    suspended: await liveSuspendedPayouts(db(), mostCounted),
    files: (await newestLiveBatches(db(), filesOnPage)).map(({ id, total, createdAt, isHere, ...each }) => ({
      ...each,
      id,
      reference: sepaReference('B', id),
      total: amount(total, 'EUR'),
      createdAt: createdAt.toISOString(),
      downloadUrl: isHere ? `/admin/export/payout-files/${id}` : null,
    })),
    problems,
    formKey: newFormKey(),
  }
}

/** Creates the next bank file, or marks at most `most` open payouts of a file as paid. Null for everyone except staff. */
export async function submitPayoutFiles(
  values: URLSearchParams,
  cookies: string | null,
  most = mostMarked,
): Promise<Next | null> {
  const staff = await staffOn('payout-files', cookies)
  if (!staff) return null
  const form = { page, values, cookies }
  const id = (values.get('id') ?? '').slice(0, 100)
  switch (values.get('intent')) {
    case 'make':
      return staffAct(staff, form, { action: 'payout.export' }, async () => {
        const { isNew } = await exportPayouts({ testmode: false, storefrontId: null }, staff.actor)
        return `${page}?done=${isNew ? 'made' : 'madeBefore'}`
      })
    case 'paid':
      return staffAct(staff, form, { action: 'payout.confirm_file', check: () => liveFile(id) }, async () => {
        const moved = await movePayoutsTyped({ batchId: id }, 'confirm', staff.actor, most)
        return `${page}?done=${moved.length < most ? 'paid' : 'paidPart'}`
      })
    default:
      return { redirectTo: page }
  }
}

/** Throws `not_found` if the file is unknown or belongs to test mode. Only the command line handles files of test mode. */
async function liveFile(id: string) {
  const { batch } = await exportedBefore(id)
  if (batch.scope.testmode) throw new Refusal('not_found')
  return batch
}

/**
 * The content of a bank file, or a redirect to the page that asks for a second-factor code. The download is recorded in the audit log. Null for an unknown
 * file, and for everyone who is not staff.
 */
export async function downloadPayoutFile(
  id: string,
  cookies: string | null,
): Promise<{ fileName: string; parts: AsyncGenerator<string> } | { redirectTo: string } | null> {
  const staff = await staffOn('export/payout-files/[id]', cookies)
  if (!staff || !isStorableText(id)) return null
  const confirm = await toConfirmFile(staff, 'payout.download', { page, cookies })
  if (confirm) return confirm
  const batch = await liveFile(id).catch((error) => {
    if (error instanceof Refusal) return null
    throw error
  })
  if (!batch || batch.file === null) return null
  const { file } = batch
  await db().$transaction((sql) =>
    writeAudit(sql, staff.actor, { action: 'payout.download', subject: id, before: null, after: null }),
  )
  return { fileName: `${sepaReference('B', id)}.xml`, parts: only(file) }
}

async function* only(text: string): AsyncGenerator<string> {
  yield text
}
