import type { PaymentMethod } from '@/lib/modules/payments/page.ts'

/**
 * Our drawings of payment methods on a grid of 36 × 24. The method's name is next to each drawing, so the drawings are
 * hidden from screen readers.
 */
const drawings: Readonly<Record<PaymentMethod, { lines: string; filled?: string }>> = {
  creditcard: { lines: 'M8 16h5M17 16h2', filled: 'M3 7.5h30v3.5H3z' },
  ideal: {
    lines: 'M5.5 10.5L12 6.5l6.5 4M7.5 11v5M12 11v5M16.5 11v5M5.5 18.5h13M23 5.5h7v13h-7zM25 11.5l1.3 1.5 2.2-3',
  },
  bancontact: { lines: 'M11 8V5.5h19v9h-4.5M6 9.5h19v9H6z', filled: 'M6 12h19v2.2H6z' },
  paypal: { lines: 'M26 8.5V5.5H10a2 2 0 0 0 0 4h18v9H10a2 2 0 0 1-2-2V7.5', filled: 'M22.5 12.5h5.5v3h-5.5z' },
  directdebit: {
    lines: 'M17.5 8a4.6 4.6 0 1 0 0 8M8 10.8h7M8 13.2h7M21.5 12H30M27 9l3 3-3 3',
  },
  banktransfer: { lines: 'M5.5 12H14M11 9l3 3-3 3M17.5 10.5L24 6.5l6.5 4M19.5 11v5M24 11v5M28.5 11v5M17.5 18.5h13' },
  paybybank: { lines: 'M5.5 10.5L12 6.5l6.5 4M7.5 11v5M12 11v5M16.5 11v5M5.5 18.5h13M22.5 12.5l2.5 2.5 5-6' },
}

export function MethodMark({ method }: { method: PaymentMethod }) {
  const { lines, filled } = drawings[method]
  return (
    <svg
      aria-hidden="true"
      className="shrink-0 text-soft"
      fill="none"
      height="24"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth="1.4"
      viewBox="0 0 36 24"
      width="36"
    >
      <rect className="text-line" height="19" rx="3" width="31" x="2.5" y="2.5" />
      {filled && <path d={filled} fill="currentColor" stroke="none" />}
      <path d={lines} />
    </svg>
  )
}
