import { secondaryButton } from '@/components/ui/button.ts'
import type { CustomerLinks as Links } from '@/lib/modules/emails/page.ts'
import { Id } from './id.tsx'
import { Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

export const customerLinkTexts = {
  linkCreated: 'customerLinks.done.created',
  customerLinkSent: 'customerLinks.done.sent',
  customerLinkLimit: 'customerLinks.done.limit',
} as const

export const CustomerLinks = ({ links }: { links: Links | null }) =>
  links && (
    <Section id="links" label="customerLinks.heading">
      <p className="mt-2 max-w-2xl text-soft">{t('customerLinks.text')}</p>
      <ul className="mt-3 grid max-w-2xl gap-4">
        {links.offers.map((offer) => (
          <li key={offer.link}>
            <p className="font-medium">{t(`customerLinks.links.${offer.link}`)}</p>
            {offer.block ? (
              <p className="text-soft">{t(`customerLinks.blocks.${offer.block}`)}</p>
            ) : (
              <Offer links={links} offer={offer} />
            )}
          </li>
        ))}
      </ul>
    </Section>
  )

const Offer = ({ links, offer: { link } }: { links: Links; offer: Links['offers'][number] }) => (
  <>
    <p className="text-note text-soft">{t(`customerLinks.hints.${link}`)}</p>
    {links.created?.link === link && (
      <p className="my-2 rounded-box border border-done bg-done-tint p-3">
        <Id id={links.created.url} />
      </p>
    )}
    <form action={links.url} className="mt-2 flex flex-wrap gap-3" method="post">
      <input name="key" type="hidden" value={links.formKey} />
      <input name="link" type="hidden" value={link} />
      {links.mayCreate && (
        <button
          aria-label={t('customerLinks.createOf', { link: t(`customerLinks.links.${link}`) })}
          className={secondaryButton}
          name="intent"
          type="submit"
          value="create-link"
        >
          {t('customerLinks.create')}
        </button>
      )}
      {links.mayEmail && (
        <button
          aria-label={t('customerLinks.emailOf', { link: t(`customerLinks.links.${link}`) })}
          className={secondaryButton}
          name="intent"
          type="submit"
          value="email-link"
        >
          {t('customerLinks.email')}
        </button>
      )}
    </form>
  </>
)
