const beginnings = {
  bank: ['payout_account.', 'payout.'],
  access: ['member.', 'key.', 'operator.'],
  money: ['refund.', 'recovery.', 'chargeback.', 'disputes.', 'unknown_payment.'],
  subscriptions: ['subscription.'],
  customers: ['customer_note.', 'customer_link.', 'customer.'],
  catalog: ['catalog.', 'checkout.', 'payment_link.', 'review.'],
  webhooks: ['endpoint.', 'delivery.'],
  exports: ['export.'],
} as const

export type AuditTopic = keyof typeof beginnings
export const auditTopics = Object.keys(beginnings) as AuditTopic[]

export const actionsOf = (topic: AuditTopic): string[] =>
  beginnings[topic].map((beginning) => `${beginning.replaceAll('_', '\\_')}%`)
