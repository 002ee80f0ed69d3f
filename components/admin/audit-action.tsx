import en from '@/messages/admin/en.json'
import { type AdminKey, adminText as t } from './text.ts'

const known = en.audit.actions as Readonly<Record<string, string>>
const ofStorefront = en.storefront.nav as Readonly<Record<string, string>>
const ofStaff = en.nav as Readonly<Record<string, string>>

/** The name of an action of the audit log in words. An action without a name is shown as its code. */
export function actionText(action: string): string {
  const key = action.replace('.', '_')
  if (Object.hasOwn(known, key)) return t(`audit.actions.${key}` as AdminKey)
  const [, list] = /^export\.(\w+)$/.exec(action) ?? []
  if (list === undefined) return action
  if (list === 'refunds') return t('audit.exported', { list: t('orders.refunds') })
  if (Object.hasOwn(ofStorefront, list)) return t('audit.exported', { list: t(`storefront.nav.${list}` as AdminKey) })
  return Object.hasOwn(ofStaff, list) ? t('audit.exported', { list: t(`nav.${list}` as AdminKey) }) : action
}

/** An action in words, with its code below, which exports and the command line use. */
export const Action = ({ action }: { action: string }) => (
  <>
    <span className="block">{actionText(action)}</span>
    <code className="block min-w-36 wrap-anywhere font-normal text-soft max-wide:hidden">{action}</code>
  </>
)
