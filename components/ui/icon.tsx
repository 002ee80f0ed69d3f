/** Plain marks of our own, drawn on 24 x 24. Always beside words that say the same, so hidden from screen readers. */
const paths = {
  chevron: 'M6 9.5l6 6 6-6',
  back: 'M14.5 6l-6 6 6 6',
  alert: 'M12 7.5v5.5M12 16.4v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  done: 'M5 12.5l4.5 4.5L19 7.5',
  clock: 'M12 7v5l3.2 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  closed: 'M7 7l10 10M17 7L7 17',
  mail: 'M4 6h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM3.5 7.5L12 13l8.5-5.5',
  lost: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20',
  card: 'M3.5 6h17a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1h-17a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM2.5 10h19M6 14.5h4',
  phone:
    'M8 2.5h8a1.5 1.5 0 0 1 1.5 1.5v16a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 20V4A1.5 1.5 0 0 1 8 2.5zM9.5 12l2 2 3.5-4',
  twoCards:
    'M6.5 9V6.5a1 1 0 0 1 1-1h13a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H18M3.5 9H17a1 1 0 0 1 1 1v7.5a1 1 0 0 1-1 1H3.5a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zM2.5 12H18',
  wallet: 'M18.5 8V6a1 1 0 0 0-1-1h-12a2 2 0 0 0 0 4h14a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1h-14a2 2 0 0 1-2-2V7M16.5 14h.1',
  bank: 'M3.5 9.5L12 4.5l8.5 5M5.5 10v7M10 10v7M14 10v7M18.5 10v7M3.5 20h17',
  transfer: 'M4 8.5h15M15.5 5l3.5 3.5-3.5 3.5M20 15.5H5M8.5 12L5 15.5 8.5 19',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      className={className}
      fill="none"
      height="24"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth="1.6"
      viewBox="0 0 24 24"
      width="24"
    >
      <path d={paths[name]} />
    </svg>
  )
}
