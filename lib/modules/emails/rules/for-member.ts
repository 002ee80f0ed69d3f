import { type EmailKind, type MemberEmailKind, memberEmailKinds } from './email.ts'

/** Whether emails of a kind go to the members of a merchant, and not to a customer. */
export const isForMember = (kind: EmailKind): kind is MemberEmailKind =>
  (memberEmailKinds as readonly EmailKind[]).includes(kind)
