/** The numbers of encrypted values in one column, after the renewal. */
export interface Renewed {
  /** The table and the column, such as `emails.sealed`. */
  readonly values: string
  /** Values that this run encrypted with the current key. */
  readonly renewed: number
  /** Values that still need a key in SECRET_KEY_PREVIOUS. */
  readonly left: number
  /** Values whose key is not configured. */
  readonly unreadable: number
  /** Values that were changed outside the service, so that no key decrypts them. */
  readonly damaged: number
  /**
   * Search hashes of erased addresses. Nobody can compute such a hash again, or see which key was used. The hash can need a previous key if the address was
   * erased before the change of the key, or was imported with a storefront.
   */
  readonly oldHashes: number
}

/** Returns sentences that say whether the former keys can be removed. `hasFormer` is true if SECRET_KEY_PREVIOUS has a key. */
export function verdict(renewed: readonly Renewed[], hasFormer: boolean): string {
  const total = (of: (row: Renewed) => number) => renewed.reduce((sum, row) => sum + of(row), 0)
  const [left, damaged] = [total((row) => row.left), total((row) => row.damaged)]
  const unreadable = total((row) => row.unreadable)
  const oldHashes = total((row) => row.oldHashes)
  const isLogBroken = renewed.some(({ values, damaged }) => values === auditLog && damaged > 0)
  return [
    left > 0
      ? `Do not remove the former keys: ${left} values still need them. Check that every process runs with the new SECRET_KEY, and run the command again.`
      : '',
    damaged - Number(isLogBroken) > 0
      ? 'Values that were changed outside Billhook cannot be decrypted with any key. Their places are listed above. ' +
        'Restore these values from a backup before you remove the former keys, or accept that they are lost.'
      : '',
    isLogBroken
      ? 'The audit log is broken, so its entries were not renewed. `audit verify` names the first broken entry. Keep a copy of the database as evidence. ' +
        'After you remove the former keys, `audit verify` reports an earlier entry.'
      : '',
    left + damaged > 0 ? '' : hasFormer ? removable : 'SECRET_KEY_PREVIOUS has no key. No value needs a former key.',
    left + damaged === 0 && hasFormer ? everyProcess : '',
    oldHashes > 0 && hasFormer
      ? `Suppressed addresses whose customer was erased and whose hash needs a former key: at most ${oldHashes}. After you remove the former keys, Billhook can send ` +
        'emails to these addresses again.'
      : '',
    unreadable > 0
      ? `Values that stay unreadable, because their key is not configured: ${unreadable}. If you find the key, add it to SECRET_KEY_PREVIOUS, and run the command again.`
      : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

export const auditLog = 'audit_entries.hash'

/** The command cannot see which key a running process uses, so the operator must check every process. */
const everyProcess =
  'Remove the keys only if every process runs with the new SECRET_KEY. A process that still runs with a former key encrypts values with the former key.'

const removable =
  'No value needs the keys in SECRET_KEY_PREVIOUS. Remove these keys from every process, and restart every process. Exception: if a storefront moved here from ' +
  'another installation, keep the key of that installation while links in older emails are needed. Links that were signed with a removed key stop working. ' +
  'Keep the removed keys as long as you keep earlier backups, in a different place.'
