import { submitCorrection } from '@/lib/corrections/hosted.ts'
import { readForm, seeOther } from '../../../form.ts'
import type { TokenParams } from '../../../open.ts'

export async function POST(request: Request, { params }: TokenParams): Promise<Response> {
  const { token } = await params
  const form = await readForm(request)
  const next = form && (await submitCorrection(token, form))
  return seeOther(next?.redirectTo ?? `/invoice-details/${encodeURIComponent(token)}`)
}

/** An address bar or a restored tab may come here; the form's page knows where things stand. */
export async function GET(_request: Request, { params }: TokenParams): Promise<Response> {
  return seeOther(`/invoice-details/${encodeURIComponent((await params).token)}`)
}
