import { toWire } from '../../kernel/moment.ts'
import { formatMoney } from '../../kernel/money.ts'
import { parseTypedDay } from '../../kernel/typed-day.ts'
import { keysOf } from '../../modules/accounts/key-store.ts'
import type { ProductKind } from '../../modules/catalog/rules/index.ts'
import { pageOfProducts } from '../../modules/catalog/store.ts'
import { membersOf } from '../../modules/operators/members.ts'
import { pageOfDeliveries } from '../../modules/webhooks/find-deliveries.ts'
import { mostEndpoints } from '../../modules/webhooks/rules/limits.ts'
import { deliveryStates } from '../../modules/webhooks/rules/state.ts'
import { pageOfEndpoints } from '../../modules/webhooks/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { reader } from '../../platform/db/replica.ts'
import { list, moment, status, whole } from './csv-list.ts'

export const setUp = {
  catalog: list({
    read: ({ tenant }, query, { kind }) => {
      const asked: ProductKind = kind === 'one_off_product' ? 'one_off_product' : 'subscription_plan'
      return pageOfProducts(reader(), tenant, asked, query, true)
    },
    cells: ({ id, status, review, terms, taxBehavior, archivedAt, createdAt }) => ({
      id,
      name: terms.name,
      status,
      review,
      currency: terms.price.currency,
      price: formatMoney(terms.price),
      taxBehavior,
      productType: terms.productType,
      interval: terms.billingInterval?.interval ?? null,
      intervalCount: terms.billingInterval?.intervalCount ?? null,
      archivedAt: moment(archivedAt),
      createdAt: toWire(createdAt),
    }),
  }),
  endpoints: list({
    read: async ({ tenant }) => whole((await pageOfEndpoints(reader(), tenant, { limit: mostEndpoints })).rows),
    cells: ({ id, url, enabledEvents, createdAt }) => ({
      id,
      url,
      enabledEvents: enabledEvents.join(' '),
      createdAt: toWire(createdAt),
    }),
  }),
  deliveries: list({
    read: ({ tenant }, query, { endpoint, event, object, from = null, to = null, ...filters }) =>
      pageOfDeliveries(
        reader(),
        tenant,
        { ...query, createdAfter: parseTypedDay(from)?.start, createdBefore: parseTypedDay(to)?.end },
        {
          ...status(deliveryStates.states, filters),
          endpointId: endpoint ?? undefined,
          eventName: event ?? undefined,
          entityId: object ?? undefined,
        },
      ),
    cells: ({ id, eventId, eventName, entityId, status, attempts, endpoint, createdAt, nextAttemptAt }) => ({
      id,
      eventId,
      eventName,
      entityId,
      status,
      attempts,
      endpointId: endpoint.id,
      endpointUrl: endpoint.url,
      createdAt: toWire(createdAt),
      nextAttemptAt: moment(nextAttemptAt),
    }),
  }),
  keys: list({
    read: async ({ tenant }) => whole(await keysIn(tenant)),
    cells: ({ id, hint, name, scope, createdAt, lastUsedAt, expiresAt, revokedAt }) => ({
      id,
      hint,
      name,
      scope,
      createdAt: toWire(createdAt),
      lastUsedAt: moment(lastUsedAt),
      expiresAt: moment(expiresAt),
      revokedAt: moment(revokedAt),
    }),
  }),
  members: list({
    read: async ({ storefront }) => whole([...(await membersOf(db(), storefront.merchant.id))]),
    cells: ({ id, email, role, createdAt, hasSecondFactor }) => ({
      id,
      email,
      role,
      createdAt: toWire(createdAt),
      hasSecondFactor: hasSecondFactor ? 'yes' : 'no',
    }),
  }),
} as const

const keysIn = async ({ storefrontId, testmode }: Tenant) =>
  (await keysOf(db(), storefrontId)).filter((key) => key.testmode === testmode)
