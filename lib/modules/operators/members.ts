import type { Locale } from '../../kernel/locale.ts'
import { toWire } from '../../kernel/moment.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Role } from './rules/access.ts'
import type { Invitation } from './rules/invitation.ts'

export interface Member {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly createdAt: Date
  readonly hasSecondFactor: boolean
}

/** Locks the merchant, so that concurrent changes of its members run one after another. */
export async function lockMerchant(sql: Sql, id: string): Promise<void> {
  await sql.$queryRaw`SELECT 1 FROM merchants WHERE id = ${id} FOR UPDATE`
}

export async function membersOf(sql: Sql, merchantId: string): Promise<Member[]> {
  const rows = await sql.operators.findMany({ where: { merchant_id: merchantId }, orderBy: { id: 'asc' } })
  return rows.map(({ id, email, role, created_at, totp_since }) => ({
    id,
    email,
    role: role as Role,
    createdAt: created_at,
    hasSecondFactor: totp_since !== null,
  }))
}

export async function saveRole(sql: Sql, id: string, role: Role): Promise<void> {
  await sql.operators.update({ where: { id }, data: { role }, select: { id: true } })
}

/** Records a former owner. Former owners get emails during the waiting time of changed bank details. */
export async function keepFormerOwner(
  sql: Sql,
  { merchantId, email, locale }: { merchantId: string; email: string; locale: Locale },
  at: Date,
): Promise<void> {
  const where = { merchant_id_email: { merchant_id: merchantId, email } }
  const data = { merchant_id: merchantId, email, locale, ended_at: at }
  await sql.former_owners.upsert({ where, create: data, update: data, select: { email: true } })
}

const coolingMs = () => config().payoutCoolingDays * 86_400_000

export async function formerOwnersOf(
  sql: Sql,
  storefrontId: string,
): Promise<{ to: string; locale: Locale; ownerUntil: string }[]> {
  const since = new Date(realNow().getTime() - coolingMs())
  const where = { merchant: { storefronts: { some: { id: storefrontId } } }, ended_at: { gt: since } }
  const rows = await sql.former_owners.findMany({ where, orderBy: { ended_at: 'asc' } })
  return rows.map(({ email, locale, ended_at }) => ({
    to: email,
    locale: locale as Locale,
    ownerUntil: toWire(ended_at),
  }))
}

export async function deleteFormerOwners(sql: Sql): Promise<void> {
  const until = new Date(realNow().getTime() - coolingMs())
  await sql.$executeRaw`DELETE FROM former_owners WHERE ended_at <= ${until}`
}

export async function insertInvitation(
  sql: Sql,
  {
    id,
    merchantId,
    email,
    role,
    locale,
    invitedBy,
    createdAt,
    expiresAt,
  }: Omit<Invitation, 'acceptedAt' | 'withdrawnAt'>,
  tokenHash: Uint8Array<ArrayBuffer>,
): Promise<void> {
  await sql.member_invitations.create({
    data: {
      id,
      email,
      role,
      locale,
      merchant_id: merchantId,
      invited_by: invitedBy,
      token_hash: tokenHash,
      created_at: createdAt,
      expires_at: expiresAt,
    },
    select: { id: true },
  })
}

/** Returns the newest invitations first. Includes expired invitations, but no accepted or withdrawn invitations. */
export async function pendingInvitations(sql: Sql, merchantId: string): Promise<Invitation[]> {
  const where = { merchant_id: merchantId, accepted_at: null, withdrawn_at: null }
  return (await sql.member_invitations.findMany({ where, orderBy: { id: 'desc' } })).map(toInvitation)
}

export async function newestInvitations(sql: Sql, merchantId: string): Promise<Date[]> {
  const rows = await sql.member_invitations.findMany({
    where: { merchant_id: merchantId },
    orderBy: { id: 'desc' },
    take: 100,
    select: { created_at: true },
  })
  return rows.map(({ created_at }) => created_at)
}

export const withdrawInvitations = (
  sql: Sql,
  { merchantId, ...which }: { merchantId: string } & ({ id: string } | { email: string }),
  at: Date,
): Promise<number> => withdraw(sql, { merchant_id: merchantId, ...which }, at)

/** Call this function for a person whose role no longer allows invitations. Returns the number of withdrawn invitations. */
export const withdrawInvitationsBy = (sql: Sql, personId: string, at: Date): Promise<number> =>
  withdraw(sql, { invited_by: personId }, at)

async function withdraw(
  sql: Sql,
  which: { merchant_id: string; id?: string; email?: string } | { invited_by: string },
  at: Date,
): Promise<number> {
  const where = { ...which, accepted_at: null, withdrawn_at: null }
  return (await sql.member_invitations.updateMany({ where, data: { withdrawn_at: at } })).count
}

export async function acceptInvitation(sql: Sql, id: string, at: Date): Promise<void> {
  await sql.member_invitations.update({ where: { id }, data: { accepted_at: at }, select: { id: true } })
}

export async function findInvitation(
  sql: Sql,
  tokenHash: Uint8Array<ArrayBuffer>,
): Promise<{ invitation: Invitation; merchant: string } | null> {
  const row = await sql.member_invitations.findUnique({
    where: { token_hash: tokenHash },
    include: { merchant: { select: { name: true } } },
  })
  return row && { invitation: toInvitation(row), merchant: row.merchant.name }
}

/** Locks the row, so that only one of several concurrent requests accepts the invitation. */
export async function lockInvitation(sql: Sql, id: string): Promise<Invitation | null> {
  await sql.$queryRaw`SELECT 1 FROM member_invitations WHERE id = ${id} FOR UPDATE`
  const row = await sql.member_invitations.findUnique({ where: { id } })
  return row && toInvitation(row)
}

type Row = Awaited<ReturnType<Sql['member_invitations']['findUniqueOrThrow']>>

const toInvitation = (row: Row): Invitation => ({
  id: row.id,
  merchantId: row.merchant_id,
  email: row.email,
  role: row.role,
  locale: row.locale,
  invitedBy: row.invited_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  acceptedAt: row.accepted_at,
  withdrawnAt: row.withdrawn_at,
})
