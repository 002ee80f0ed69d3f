import { type EmailKind, type MemberEmailKind, memberEmailKinds, signInEmailKinds } from './email.ts'

/** Whether emails of a kind go to the members of a merchant. */
export const isForMember = (kind: EmailKind): kind is MemberEmailKind =>
  (memberEmailKinds as readonly EmailKind[]).includes(kind)

/** Whether emails of a kind go to a buyer of a storefront. */
export const isForBuyer = (kind: EmailKind): boolean =>
  !isForMember(kind) && !(signInEmailKinds as readonly EmailKind[]).includes(kind)
