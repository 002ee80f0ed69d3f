import { isAdminKey, adminText as t } from './text.ts'

/** Returns the readable name of an action in the audit log. An action without a name is shown as its code. */
export function actionText(action: string): string {
  const key = `audit.actions.${action.replace('.', '_')}`
  if (isAdminKey(key)) return t(key)
  const [, list] = /^export\.(\w+)$/.exec(action) ?? []
  if (list === undefined) return action
  if (list === 'refunds') return t('audit.exported', { list: t('orders.refunds') })
  const label = [`storefront.nav.${list}`, `nav.${list}`].find(isAdminKey)
  return label ? t('audit.exported', { list: t(label) }) : action
}

/**
 * Shows an action by its readable name. Below the name is the code of the action, which exports and the command line
 * use.
 */
export const Action = ({ action }: { action: string }) => (
  <>
    <span className="block">{actionText(action)}</span>
    <code className="block min-w-36 wrap-anywhere font-normal text-soft max-wide:hidden">{action}</code>
  </>
)
