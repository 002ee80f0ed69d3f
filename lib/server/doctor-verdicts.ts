import { maskedIban, refusedSepaCharacter, sepaCharacters } from '../kernel/sepa.ts'
import type { Config } from '../platform/config.ts'

export type Verdict = readonly [state: 'ok' | 'look' | 'missing', message: string]

interface Known {
  readonly database: { readonly problem: string | null; readonly missingMigrations: readonly string[] }
  readonly config: Pick<Config, 'payoutsFrom' | 'seller' | 'mail'>
  readonly problems: { readonly mail: string | null }
}

/** The verdict of a check that needs tables. `doctor` skips such a check while the service cannot use the database. */
export function verdictUnknown({ database: { problem, missingMigrations } }: Pick<Known, 'database'>): Verdict {
  if (problem !== null) return ['look', 'Unknown while the service cannot use the database (see the line `database`).']
  return missingMigrations.length > 0
    ? ['look', 'Unknown while migrations are missing, because the check may need them.']
    : ['look', 'Unknown, because the database did not respond in time. Run the command again.']
}

export function verdictOnPayouts({ config: { payoutsFrom, seller } }: Pick<Known, 'config'>): Verdict {
  if (!payoutsFrom)
    return ['look', 'Set PAYOUT_IBAN to pay merchants with bank files. Without it, you make payouts by hand.']
  const refused = refusedSepaCharacter(seller.name)
  return refused === null
    ? ['ok', `from ${maskedIban(payoutsFrom.iban)}`]
    : [
        'look',
        `Banks do not accept the character ${refused} in SELLER_NAME, so no bank file can be made. Use only ${sepaCharacters}.`,
      ]
}

export function verdictOnMailServer({ config: { mail }, problems }: Pick<Known, 'config' | 'problems'>): Verdict {
  if (!mail) return ['missing', 'Set SMTP_URL and MAIL_FROM. Without them, buyers get no receipts.']
  if (problems.mail === null) return ['ok', mail.server.host]
  return ['missing', `The mail server ${mail.server.host} cannot be used: ${problems.mail}.`]
}
