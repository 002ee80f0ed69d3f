import { Refusal } from '../../../kernel/refusal.ts'
import { bicOf, ibanOf, sepaCharacters, sepaText } from '../../../kernel/sepa.ts'

/** A bank account in SEPA that gets a storefront's payouts. */
export interface AccountDetails {
  /** The holder's name in letters that every bank accepts, at most 70 characters. */
  readonly holder: string
  readonly iban: string
  /** Null: banks derive the BIC from the IBAN. */
  readonly bic: string | null
}

/** Bank details as entered once. Payouts use them from `validFrom` on, unless they are stopped before. */
export interface PayoutAccount {
  readonly id: string
  readonly details: AccountDetails
  readonly createdAt: Date
  readonly validFrom: Date
  readonly stoppedAt: Date | null
}

/** The details are null if their encryption key is lost. */
export type StoredAccount = Omit<PayoutAccount, 'details'> & { readonly details: AccountDetails | null }

/** Checks and normalizes typed bank details. Refuses `validation_failed`. */
export function checkedDetails(typed: { holder: string; iban: string; bic?: string | undefined }): AccountDetails {
  const [holder, iban] = [sepaText(typed.holder), ibanOf(typed.iban)]
  const wantsBic = typed.bic !== undefined && typed.bic.trim() !== ''
  const bic = wantsBic ? bicOf(typed.bic ?? '') : null
  const isNamed = holder !== null && holder !== '' && holder.length <= mostHolder
  if (isNamed && iban !== null && (bic !== null || !wantsBic)) return { holder, iban, bic }
  throw new Refusal('validation_failed', {
    ...(!isNamed && {
      holder: [`Must be the holder's name, 1 to ${mostHolder} characters of these: ${sepaCharacters}.`],
    }),
    ...(iban === null && {
      iban: ['Must be an IBAN of a SEPA country with valid check digits, such as NL91 ABNA 0417 1643 00.'],
    }),
    ...(wantsBic && bic === null && { bic: ['Must be a BIC of 8 or 11 characters, such as ABNANL2A, or empty.'] }),
  })
}

const mostHolder = 70

/**
 * The current and the pending account at a time. `accounts` are those of one storefront, newest first. An unreadable account counts as
 * missing, and no earlier account replaces it.
 */
export function accountsAt(
  accounts: readonly StoredAccount[],
  now: Date,
): { current: PayoutAccount | null; pending: PayoutAccount | null } {
  const kept = accounts.filter(({ stoppedAt }) => stoppedAt === null)
  return {
    current: readable(kept.find(({ validFrom }) => validFrom <= now)),
    pending: readable(kept.find(({ validFrom }) => validFrom > now)),
  }
}

const readable = (account: StoredAccount | undefined): PayoutAccount | null =>
  account?.details ? { ...account, details: account.details } : null

export const isSameAccount = (a: AccountDetails, b: AccountDetails): boolean =>
  a.holder === b.holder && a.iban === b.iban && a.bic === b.bic
