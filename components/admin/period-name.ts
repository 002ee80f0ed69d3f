import { periodName as nameIn } from '@/lib/kernel/period-name.ts'
import { adminLocale, adminText as t } from './text.ts'

/** The name of a period such as `2026-11` or `2026-Q4` in the reader's language. */
export const periodName = (period: string): string =>
  nameIn(period, adminLocale(), (values) => t('periods.quarter', values))
