import { notFound } from 'next/navigation'
import { Review, ReviewOver } from '@/components/admin/review.tsx'
import { reviewPage } from '@/lib/admin/pages.ts'
import { cookiesOf, first, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('reviews.heading')

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const query = await searchParams
  const page = await reviewPage((await params).id, first(query.form), await cookiesOf())
  if (!page) return notFound()
  if (page.state === 'over') return <ReviewOver />
  return <Review isStarted={'done' in query} lacksReason={'missing' in query} page={page} />
}
