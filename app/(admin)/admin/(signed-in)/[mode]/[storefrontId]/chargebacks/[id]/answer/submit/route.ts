import { uploadRoutes } from '@/app/form-routes.ts'
import { type AnswerForm, maySend, submitAnswer } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../../cookies.ts'

type Params = { mode: string; storefrontId: string; id: string }

/**
 * The maximum size of the request body. It is larger than the limit for all files together, so that slightly too large
 * files get an error in the form.
 */
const maxBytes = 6 * 1024 * 1024

export const { GET, POST } = uploadRoutes<Params>(
  {
    page: 'admin/answer',
    pathOf: ({ id, ...place }) => `${pathOf(place)}/chargebacks/${encodeURIComponent(id)}`,
    tooLarge: '?tooLarge=1#problems',
    maxBytes,
    isAllowed: (place, cookies) => maySend(place, 'chargebacks/[id]/answer', cookies),
  },
  async ({ id, ...place }, form, { cookies }) => submitAnswer(place, id, await answerForm(form), cookies),
)

/** Ignores empty files, because a browser sends an empty file if no file was chosen. */
async function answerForm(form: FormData): Promise<AnswerForm> {
  const values = new URLSearchParams()
  const files: { kind: string; bytes: Uint8Array }[] = []
  for (const [name, value] of form) {
    if (typeof value === 'string') values.append(name, value)
    else if (value.size > 0 && files.length < mostFiles)
      files.push({ kind: name, bytes: new Uint8Array(await value.arrayBuffer()) })
  }
  return { values, files }
}

const mostFiles = 10
