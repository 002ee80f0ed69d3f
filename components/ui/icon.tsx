/**
 * Our own simple icons, drawn on 24 × 24. They always stand beside words with the same meaning, so they are hidden from
 * screen readers.
 */
const paths = {
  chevron: 'M6 9.5l6 6 6-6',
  back: 'M14.5 6l-6 6 6 6',
  alert: 'M12 7.5v5.5M12 16.4v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  done: 'M5 12.5l4.5 4.5L19 7.5',
  clock: 'M12 7v5l3.2 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  closed: 'M7 7l10 10M17 7L7 17',
  mail: 'M4 6h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM3.5 7.5L12 13l8.5-5.5',
  lock: 'M7.5 11V8a4.5 4.5 0 0 1 9 0v3M6 11h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM12 14.5v2',
  copy: 'M9 9h10v11H9zM6 15H5V4h10v2',
  lost: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20',
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
