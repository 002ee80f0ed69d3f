import { uploadRoutes } from '@/app/form-routes.ts'
import { type BrandForm, maySend, submitBrand } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../cookies.ts'

type Params = { mode: string; storefrontId: string }

/**
 * The maximum size of the request body. It is larger than the limit of the logo, so that a slightly too large logo gets
 * an error at the logo field.
 */
const maxBytes = 1024 * 1024

export const { GET, POST } = uploadRoutes<Params>(
  {
    page: 'admin/brand',
    pathOf: (place) => `${pathOf(place)}/brand`,
    tooLarge: '?logoProblem=too_large#problems',
    maxBytes,
    isAllowed: (place, cookies) => maySend(place, 'brand', cookies),
  },
  async (place, form, { cookies }) => submitBrand(place, await brandForm(form), cookies),
)

async function brandForm(form: FormData): Promise<BrandForm> {
  const fields = Object.fromEntries(
    [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
  return { intent: fields.intent ?? null, fields, logo: fields.removeLogo ? null : await fileIn(form.get('logo')) }
}

/** Ignores an empty file, because a browser sends an empty file if no file was chosen. */
const fileIn = async (value: FormDataEntryValue | null): Promise<Uint8Array | undefined> =>
  value instanceof File && value.size > 0 ? new Uint8Array(await value.arrayBuffer()) : undefined
