import { type EmailKind, type MemberEmailKind, memberEmailKinds, signInEmailKinds } from './email.ts'

export const isForMember = (kind: EmailKind): kind is MemberEmailKind =>
  (memberEmailKinds as readonly EmailKind[]).includes(kind)

export const isForBuyer = (kind: EmailKind): boolean =>
  !isForMember(kind) && !(signInEmailKinds as readonly EmailKind[]).includes(kind)
