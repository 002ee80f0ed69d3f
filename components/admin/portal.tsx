import { money } from '@/components/format.ts'
import { primaryButton } from '@/components/ui/button.ts'
import type { PortalSettingPage } from '@/lib/modules/portal/page.ts'
import { type FormResult, FormResultNotice, Heading } from './page-parts.tsx'
import { adminLocale, adminText as t } from './text.ts'

export function PortalSetting({ page, path, outcome }: { page: PortalSettingPage; path: string; outcome: FormResult }) {
  const { quantity, plans, isOnHold, formKey } = page
  return (
    <>
      <FormResultNotice {...outcome} texts={{ saved: 'portal.saved' }} />
      <Heading note={t('portal.text')}>{t('storefront.nav.portal')}</Heading>
      {isOnHold && <p className="mt-2">{t('hold.notNow')}</p>}
      <form action={`${path}/portal/submit`} className="mt-4 grid max-w-2xl justify-items-start gap-6" method="post">
        <input name="key" type="hidden" value={formKey} />
        <fieldset className="grid gap-1" disabled={isOnHold}>
          <legend className="font-medium text-note">{t('portal.quantityHeading')}</legend>
          <Box hint="portal.quantityHint" isChecked={quantity} name="quantity" value="yes">
            {t('portal.quantity')}
          </Box>
        </fieldset>
        <fieldset aria-describedby="plans-hint" className="grid gap-1" disabled={isOnHold}>
          <legend className="font-medium text-note">{t('portal.plans')}</legend>
          <p className="text-note text-soft" id="plans-hint">
            {t('portal.plansHint')}
          </p>
          {plans.length === 0 && <p>{t('portal.noPlans')}</p>}
          {plans.map((plan) => (
            <Box isChecked={plan.isChosen} key={plan.id} name="plan" value={plan.id}>
              {planText(plan)}
            </Box>
          ))}
        </fieldset>
        {!isOnHold && (
          <button className={primaryButton} type="submit">
            {t('portal.save')}
          </button>
        )}
      </form>
    </>
  )
}

function planText({
  name,
  price,
  interval,
  intervalCount,
  taxBehavior,
  isArchived,
}: PortalSettingPage['plans'][number]) {
  const every = t(`reviews.intervals.${interval}`, { count: intervalCount })
  const text = `${name}: ${money(price, adminLocale())}, ${every}, ${t(`portal.taxBehaviors.${taxBehavior}`)}`
  return isArchived ? t('portal.archived', { plan: text }) : text
}

function Box({
  name,
  value,
  isChecked,
  hint,
  children,
}: {
  name: string
  value: string
  isChecked: boolean
  hint?: 'portal.quantityHint'
  children: string
}) {
  return (
    <div>
      <label className="inline-flex min-h-8 items-start gap-2 py-1">
        <input
          aria-describedby={hint && `${name}-hint`}
          className="size-5 shrink-0"
          defaultChecked={isChecked}
          name={name}
          type="checkbox"
          value={value}
        />
        {children}
      </label>
      {hint && (
        <p className="ps-7 text-note text-soft" id={`${name}-hint`}>
          {t(hint)}
        </p>
      )}
    </div>
  )
}
