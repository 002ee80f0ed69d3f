import { primaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import type { NewStorefrontPage } from '@/lib/modules/accounts/page.ts'
import { CodeField } from './code-field.tsx'
import { FormProblems } from './form-problems.tsx'
import { LanguageField } from './language-field.tsx'
import { type FormResult, FormResultNotice, Heading } from './page-parts.tsx'
import { adminText as t } from './text.ts'

export function NewStorefront({ page, outcome }: { page: NewStorefrontPage; outcome: FormResult }) {
  const { merchant, typed, problems, formKey } = page
  return (
    <>
      <FormResultNotice {...outcome} texts={{}} />
      <FormProblems
        form="storefront"
        labels={{
          name: t('newStorefront.name'),
          ...(!merchant && { merchantName: t('newStorefront.merchant') }),
          email: t('newStorefront.owner'),
          language: t('language'),
          code: t('secondFactor.code'),
        }}
        problems={problems}
      />
      <p>
        <a href="/admin/storefronts">{t('storefronts.heading')}</a>
      </p>
      <Heading note={t('newStorefront.text')}>
        {merchant ? t('newStorefront.of', { merchant: merchant.name }) : t('newStorefront.heading')}
      </Heading>
      <form action="/admin/storefronts/new/submit" className="mt-4 grid max-w-xl gap-4" id="storefront" method="post">
        <input name="key" type="hidden" value={formKey} />
        {merchant && <input name="merchant" type="hidden" value={merchant.id} />}
        <Field
          autoComplete="off"
          defaultValue={typed.name ?? ''}
          error={problems.name}
          hint={t('newStorefront.nameHint')}
          label={t('newStorefront.name')}
          maxLength={255}
          name="name"
          required
        />
        {!merchant && (
          <Field
            autoComplete="off"
            defaultValue={typed.merchantName ?? ''}
            error={problems.merchantName}
            hint={t('newStorefront.merchantHint')}
            label={t('newStorefront.merchant')}
            maxLength={255}
            name="merchantName"
            required
          />
        )}
        <Field
          autoComplete="off"
          defaultValue={typed.email ?? ''}
          error={problems.email}
          hint={t(merchant ? 'newStorefront.moreHint' : 'newStorefront.ownerHint')}
          label={t('newStorefront.owner')}
          maxLength={254}
          name="email"
          type="email"
        />
        <LanguageField
          defaultValue={typed.language ?? 'en'}
          error={problems.language}
          hint={t('newStorefront.languageHint')}
        />
        <CodeField error={problems.code} hint={t('passkeys.codeHint')} />
        <p>
          <button className={primaryButton} type="submit">
            {t('newStorefront.create')}
          </button>
        </p>
      </form>
    </>
  )
}
