import { Logo } from './brand.tsx'

export function ShopName({ name }: { name: string }) {
  return (
    <span className="flex min-h-9 min-w-0 items-center gap-3">
      <Logo name={name}>
        <span
          aria-hidden="true"
          className="grid size-9 shrink-0 place-items-center rounded-box bg-ink font-semibold text-paper"
        >
          {firstLetter(name)}
        </span>
        <span className="min-w-0 font-semibold">{name}</span>
      </Logo>
    </span>
  )
}

function firstLetter(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim())
  return first?.segment.toLocaleUpperCase() ?? ''
}
