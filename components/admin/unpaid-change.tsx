import { secondaryButton } from '@/components/ui/button.ts'
import { Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

export const UnpaidChange = ({ orderUrl, formKey }: { orderUrl: string; formKey: string }) => (
  <Section id="recovery" label="orders.unpaidChange">
    <p className="mt-2 max-w-xl">{t('orders.unpaidChangeText')}</p>
    <form action={`${orderUrl}/submit`} className="mt-3" method="post">
      <input name="key" type="hidden" value={formKey} />
      <button className={secondaryButton} name="intent" type="submit" value="undo-change">
        {t('orders.undoChange')}
      </button>
    </form>
  </Section>
)
