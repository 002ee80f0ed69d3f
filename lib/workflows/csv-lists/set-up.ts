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
    columns: {
      id: ({ id }) => id,
      name: ({ terms }) => terms.name,
      status: ({ status }) => status,
      review: ({ review }) => review,
      currency: ({ terms }) => terms.price.currency,
      price: ({ terms }) => formatMoney(terms.price),
      taxBehavior: ({ taxBehavior }) => taxBehavior,
      productType: ({ terms }) => terms.productType,
      interval: ({ terms }) => terms.billingInterval?.interval ?? null,
      intervalCount: ({ terms }) => terms.billingInterval?.intervalCount ?? null,
      archivedAt: ({ archivedAt }) => moment(archivedAt),
      createdAt: ({ createdAt }) => toWire(createdAt),
    },
  }),
  endpoints: list({
    read: async ({ tenant }) => whole((await pageOfEndpoints(reader(), tenant, { limit: mostEndpoints })).rows),
    columns: {
      id: ({ id }) => id,
      url: ({ url }) => url,
      enabledEvents: ({ enabledEvents }) => enabledEvents.join(' '),
      createdAt: ({ createdAt }) => toWire(createdAt),
    },
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
    columns: {
      id: ({ id }) => id,
      eventId: ({ eventId }) => eventId,
      eventName: ({ eventName }) => eventName,
      entityId: ({ entityId }) => entityId,
      status: ({ status }) => status,
      attempts: ({ attempts }) => attempts,
      endpointId: ({ endpoint }) => endpoint.id,
      endpointUrl: ({ endpoint }) => endpoint.url,
      createdAt: ({ createdAt }) => toWire(createdAt),
      nextAttemptAt: ({ nextAttemptAt }) => moment(nextAttemptAt),
    },
  }),
  keys: list({
    read: async ({ tenant }) => whole(await keysIn(tenant)),
    columns: {
      id: ({ id }) => id,
      hint: ({ hint }) => hint,
      name: ({ name }) => name,
      scope: ({ scope }) => scope,
      createdAt: ({ createdAt }) => toWire(createdAt),
      lastUsedAt: ({ lastUsedAt }) => moment(lastUsedAt),
      expiresAt: ({ expiresAt }) => moment(expiresAt),
      revokedAt: ({ revokedAt }) => moment(revokedAt),
    },
  }),
  members: list({
    read: async ({ storefront }) => whole([...(await membersOf(db(), storefront.merchant.id))]),
    columns: {
      id: ({ id }) => id,
      email: ({ email }) => email,
      role: ({ role }) => role,
      createdAt: ({ createdAt }) => toWire(createdAt),
      hasSecondFactor: ({ hasSecondFactor }) => (hasSecondFactor ? 'yes' : 'no'),
    },
  }),
} as const

const keysIn = async ({ storefrontId, testmode }: Tenant) =>
  (await keysOf(db(), storefrontId)).filter((key) => key.testmode === testmode)
