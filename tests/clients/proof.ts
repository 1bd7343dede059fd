// Compiled by bin/prove-clients with the types that openapi-typescript makes by default: what one sends in practice must
// be allowed, and what is wrong must not.
import type { components, paths } from './relata'

type Body<P extends keyof paths, M extends 'post' | 'put'> = paths[P] extends {
  [method in M]: { requestBody: { content: { 'application/json': infer Shape } } }
}
  ? Shape
  : never

export const created: Body<'/contacts', 'post'> = { first_name: 'Ada' }
export const changed: Body<'/contacts/{id}', 'put'> = { title: 'CTO' }
export const task: Body<'/tasks/{id}', 'put'> = { title: 'Call again' }
// @ts-expect-error A new contact has a first name.
export const nameless: Body<'/contacts', 'post'> = { title: 'CTO' }
// @ts-expect-error Clients do not set ids.
export const identified: Body<'/contacts/{id}', 'put'> = { id: 'x' }

type Query = NonNullable<paths['/contacts']['get']['parameters']['query']>
export const range: Query = { created_at: ['gte.2026-01-01', 'lt.2026-02-01'], limit: 100, 'not.or': ['(title.is.null)'] }

export function problems(error: components['schemas']['Error']): string[] {
  const details = error.error.details
  return Array.isArray(details) ? details.map((one) => `${one.field}: ${one.reason}`) : [error.error.message]
}
