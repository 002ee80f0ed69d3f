import { config } from '../../platform/config.ts'
import { findMerchantName } from '../accounts/store.ts'
import { enqueueEmail } from '../emails/enqueue.ts'
import type { OwnAccessEmail, PasskeyAddedEmail, PasswordResetEmail } from '../emails/rules/email.ts'
import type { Transaction } from '../events/transact.ts'
import { sellerInEmail } from '../orders/seller-view.ts'
import type { Operator } from './store.ts'

export async function emailOperator(
  tx: Transaction,
  { email, membership, locale }: Operator,
  about: PasswordResetEmail | PasskeyAddedEmail | OwnAccessEmail,
): Promise<void> {
  const seller = sellerInEmail(config().seller)
  const merchant = membership && (await findMerchantName(tx.sql, membership.merchantId))
  const content = { ...about, customerId: null, customerName: null, storefrontName: merchant ?? seller.name, seller }
  await enqueueEmail(tx, { to: email, locale, content })
}
