import { Refusal } from '../../../kernel/refusal.ts'
import { ruleProblem } from '../../../kernel/rule-problem.ts'
import { bicOf, ibanOf, sepaCharacters, sepaText } from '../../../kernel/sepa.ts'

export interface AccountDetails {
  /** `holder` is in letters that every bank accepts, at most 70 characters. */
  readonly holder: string
  readonly iban: string
  /** `bic` is null if the merchant gave no BIC. Banks then derive the BIC from the IBAN. */
  readonly bic: string | null
}

/** Payouts use these details from the time `validFrom`, unless the details are stopped before that time. */
export interface PayoutAccount {
  readonly id: string
  readonly details: AccountDetails
  readonly createdAt: Date
  readonly validFrom: Date
  readonly stoppedAt: Date | null
}

/** `details` is null if the encryption key is lost. */
export type StoredAccount = Omit<PayoutAccount, 'details'> & { readonly details: AccountDetails | null }

export function checkedDetails(typed: { holder: string; iban: string; bic?: string | undefined }): AccountDetails {
  const [holder, iban] = [sepaText(typed.holder), ibanOf(typed.iban)]
  const wantsBic = typed.bic !== undefined && typed.bic.trim() !== ''
  const bic = wantsBic ? bicOf(typed.bic ?? '') : null
  const isNamed = holder !== null && holder !== '' && holder.length <= mostHolder
  if (isNamed && iban !== null && (bic !== null || !wantsBic)) return { holder, iban, bic }
  throw new Refusal('validation_failed', {
    ...(!isNamed && {
      holder: [ruleProblem('account_holder', { most: mostHolder, characters: sepaCharacters })],
    }),
    ...(iban === null && {
      iban: [ruleProblem('iban')],
    }),
    ...(wantsBic && bic === null && { bic: [ruleProblem('bic')] }),
  })
}

const mostHolder = 70

/**
 * Returns the current and the pending account at `now`. `accounts` are the accounts of one storefront, newest first. An
 * account that cannot be decrypted is null in the result, and no earlier account replaces it.
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
