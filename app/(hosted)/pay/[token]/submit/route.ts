import { chooseOutcome } from '@/lib/payments/hosted.ts'
import { readForm, seeOther } from '../../../form.ts'
import type { TokenParams } from '../../../open.ts'

export async function POST(request: Request, { params }: TokenParams): Promise<Response> {
  const { token } = await params
  const form = await readForm(request)
  const next = form && (await chooseOutcome(token, form))
  return seeOther(next?.redirectTo ?? `/pay/${encodeURIComponent(token)}`)
}

/** An address bar or a restored tab may come here; the form's page knows where things stand. */
export async function GET(_request: Request, { params }: TokenParams): Promise<Response> {
  return seeOther(`/pay/${encodeURIComponent((await params).token)}`)
}
