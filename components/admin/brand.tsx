import { primaryButton, secondaryButton } from '@/components/ui/button.ts'
import { Field, FieldError } from '@/components/ui/field.tsx'
import { type BrandPage, brandFields } from '@/lib/modules/brand/page.ts'
import { FormProblems } from './form-problems.tsx'
import { Facts, type FormResult, FormResultNotice, Heading } from './page-parts.tsx'
import { adminText as t } from './text.ts'

export function Brand({ page, path, outcome }: { page: BrandPage; path: string; outcome: FormResult }) {
  const { problems } = page
  return (
    <>
      <FormResultNotice {...outcome} texts={{ saved: 'brand.saved' }} />
      <FormProblems
        form="brand"
        labels={{
          ...Object.fromEntries(brandFields.map((field) => [field, t(`brand.fields.${field}`)])),
          logo: t('brand.logo'),
        }}
        problems={problems}
      />
      <Heading note={t('brand.text')}>{t('storefront.nav.brand')}</Heading>
      {page.isOnHold ? <Saved page={page} /> : <BrandForm page={page} path={path} />}
    </>
  )
}

const Saved = ({ page: { values, logo } }: { page: BrandPage }) => (
  <>
    <p className="mt-2">{t('hold.notNow')}</p>
    <Facts
      facts={[
        ...brandFields.map((field) => [`brand.fields.${field}` as const, values[field]] as const),
        ['brand.logo', logo && <Logo key="logo" logo={logo} />],
      ]}
    />
  </>
)

const Logo = ({ logo }: { logo: NonNullable<BrandPage['logo']> }) => (
  // biome-ignore lint/performance/noImgElement: a logo is stored in its final size and needs no optimization
  <img
    alt={t('brand.logoNow')}
    className="mb-2 max-h-16 w-auto rounded-box border border-line bg-paper p-2"
    height={logo.height}
    src={logo.url}
    width={logo.width}
  />
)

function BrandForm({ page, path }: { page: BrandPage; path: string }) {
  const { values, problems, storefrontName, logo } = page
  const describedBy = problems.logo ? 'logo-error logo-hint' : 'logo-hint'
  return (
    <form
      action={`${path}/brand/submit`}
      className="mt-4 grid max-w-xl gap-4"
      encType="multipart/form-data"
      id="brand"
      method="post"
    >
      {brandFields.map((field) => (
        <Field
          autoComplete="off"
          defaultValue={values[field]}
          error={problems[field]}
          hint={t(`brand.hints.${field}`)}
          key={field}
          label={t(`brand.fields.${field}`)}
          maxLength={2048}
          name={field}
          placeholder={field === 'displayName' ? storefrontName : undefined}
        />
      ))}
      <div>
        <label className="mb-1 block font-medium text-note" htmlFor="logo">
          {t('brand.logo')}
        </label>
        {logo && <Logo logo={logo} />}
        <input
          accept="image/png,image/jpeg,image/webp,image/svg+xml"
          aria-describedby={describedBy}
          aria-invalid={problems.logo ? true : undefined}
          className="control h-auto py-2 file:me-3 file:rounded-box file:border file:border-field file:bg-ground file:px-3 file:py-1"
          id="logo"
          name="logo"
          type="file"
        />
        {problems.logo && <FieldError id="logo-error">{problems.logo}</FieldError>}
        <p className="text-note text-soft" id="logo-hint">
          {t('brand.logoHint')}
        </p>
        {logo && (
          <label className="mt-1 inline-flex min-h-8 items-center gap-2">
            <input className="size-5" name="removeLogo" type="checkbox" value="yes" />
            {t('brand.removeLogo')}
          </label>
        )}
      </div>
      <button className={secondaryButton} formTarget="_blank" name="intent" type="submit" value="preview">
        {t('brand.preview')}
      </button>
      <button className={primaryButton} name="intent" type="submit" value="save">
        {t('brand.save')}
      </button>
    </form>
  )
}
