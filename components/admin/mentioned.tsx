import type { ReactNode } from 'react'
import type { Named } from '@/lib/kernel/named.ts'
import { NamedLink } from './id.tsx'
import { type AdminKey, adminText as t } from './text.ts'

const kinds = {
  order: { section: 'orders', label: 'orders.order' },
  subscription: { section: 'subscriptions', label: 'subscriptions.subscription' },
  customer: { section: 'customers', label: 'subscriptions.customer' },
  paymentLink: { section: 'payment-links', label: 'paymentLinks.paymentLink' },
} as const satisfies Record<string, { section: string; label: AdminKey }>

type Kind = keyof typeof kinds

/**
 * Returns entries of `Facts` for the objects that a page mentions. Each value is the name of the object as a link, with
 * the id below.
 */
export const mentioned = (
  path: string,
  objects: Readonly<Partial<Record<Kind, Named | null>>>,
): (readonly [AdminKey, ReactNode])[] =>
  (Object.keys(kinds) as Kind[]).flatMap((kind) => {
    const of = objects[kind]
    const { section, label } = kinds[kind]
    return of
      ? [[label, <NamedLink href={`${path}/${section}/${of.id}`} key={kind} kind={t(label)} of={of} />] as const]
      : []
  })
