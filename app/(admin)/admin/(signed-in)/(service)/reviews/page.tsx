import { notFound } from 'next/navigation'
import { ReviewList } from '@/components/admin/review-list.tsx'
import { reviewsPage } from '@/lib/admin/pages.ts'
import { cookiesOf, formResultOf, type Query } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('reviews.heading')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const page = await reviewsPage(await cookiesOf())
  return page ? <ReviewList outcome={await formResultOf(searchParams)} page={page} /> : notFound()
}
