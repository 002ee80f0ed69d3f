import { notFound } from 'next/navigation'
import { ReviewList } from '@/components/admin/review-list.tsx'
import { reviewsPage } from '@/lib/workflows/admin/hosted.ts'
import { cookiesOf, first, type Query } from '../../cookies.ts'
import { titled } from '../../title.ts'

export const metadata = titled('reviews.heading')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const page = await reviewsPage(await cookiesOf())
  const { done, failed } = await searchParams
  return page ? <ReviewList done={first(done)} failed={first(failed)} page={page} /> : notFound()
}
