export * from '@/lib/kernel/format.ts'
