import { isSince, type Queries } from './query.ts'

export const webhooks = {
  I7: {
    'an event has one delivery for each endpoint that had the event enabled': `
      SELECT e.id FROM events e JOIN webhook_endpoints w ON w.storefront_id = e.storefront_id AND w.testmode = e.testmode AND e.name = ANY (w.enabled_events)
      WHERE w.deleted_at IS NULL AND w.enabled_since < e.created_at - interval '1 minute' AND ${isSince('deliveries', 'e.id')}
        AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id AND d.endpoint_id = w.id)`,
    'an event has at most one delivery per endpoint': `
      SELECT min(id) AS id FROM deliveries GROUP BY event_id, endpoint_id HAVING count(*) > 1`,
    'a delivery has an event': `
      SELECT d.id FROM deliveries d LEFT JOIN events e ON e.id = d.event_id
      WHERE e.id IS NULL OR e.entity_id <> d.entity_id OR e.causation_id <> d.causation_id`,
    'the attempt count of a delivery is the number of its attempts': `
      SELECT d.id FROM deliveries d LEFT JOIN (SELECT delivery_id, count(*) AS kept, min(number) AS first, max(number) AS last FROM delivery_attempts GROUP BY 1) log
        ON log.delivery_id = d.id
      WHERE log.last <> d.attempts OR log.kept <> log.last - log.first + 1 OR (d.attempts > 0) <> (d.first_answered_at IS NOT NULL)
        OR (d.attempts > 0 AND d.started_at IS NULL)`,
    'a delivery has a next attempt if and only if it is pending': `
      SELECT id FROM deliveries WHERE (status = 'pending') <> (next_attempt_at IS NOT NULL) OR (status = 'delivered' AND attempts = 0)`,
  },

  I14: {
    'the customers of a storefront and mode have different email addresses': `
      SELECT min(id) AS id FROM customers GROUP BY storefront_id, testmode, email HAVING count(*) > 1`,
    'an email address is in canonical form': `SELECT id FROM customers WHERE email ~ '[A-Z]|^\\s|\\s$' OR email !~ '^.+@.+[.].+$'`,
    'the endpoints of a storefront and mode have different URLs': `
      SELECT min(id) AS id FROM webhook_endpoints WHERE deleted_at IS NULL GROUP BY storefront_id, testmode, claimed_url HAVING count(*) > 1`,
    'a storefront has at most five endpoints per mode': `
      SELECT min(id) AS id FROM webhook_endpoints WHERE deleted_at IS NULL GROUP BY storefront_id, testmode HAVING count(*) > 5
      UNION ALL SELECT id FROM webhook_endpoints WHERE (deleted_at IS NULL) <> (slot IS NOT NULL) OR (deleted_at IS NULL) <> (claimed_url IS NOT NULL) OR slot NOT BETWEEN 0 AND 5`,
  },
} as const satisfies Queries
