import { cache } from 'react'
import { withdrawalPage } from '@/lib/workflows/withdrawal/hosted.ts'
import { open } from '../../open.ts'

/** Runs once per request and form, shared by the layout, the title and the page. */
export const openWithdrawal = cache((token: string, form: string | null) =>
  open((buyer) => withdrawalPage(token, form, buyer)),
)
