import { cache } from 'react'
import { emailChangePage } from '@/lib/workflows/email-change/hosted.ts'
import { open } from '../../../open.ts'

/** Runs once per request, shared by the layout, the title and the page. */
export const openEmailChange = cache((token: string) => open((buyer) => emailChangePage(token, buyer)))
