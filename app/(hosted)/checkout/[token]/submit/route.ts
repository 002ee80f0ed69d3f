import { submit } from '@/lib/checkouts/hosted.ts'
import { readForm, seeOther } from '../../../form.ts'
import { currentBuyer, type TokenParams } from '../../../open.ts'

export async function POST(request: Request, { params }: TokenParams): Promise<Response> {
  const { token } = await params
  const form = await readForm(request)
  const next = form && (await submit(token, form, await currentBuyer()))
  return seeOther(next?.redirectTo ?? `/checkout/${encodeURIComponent(token)}`)
}

/** An address bar or a restored tab may come here; the form's page knows where things stand. */
export async function GET(_request: Request, { params }: TokenParams): Promise<Response> {
  return seeOther(`/checkout/${encodeURIComponent((await params).token)}`)
}
