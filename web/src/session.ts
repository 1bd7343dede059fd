import { useQuery } from '@tanstack/react-query'
import { get } from './api/client'
import { isUnreachable } from './api/connection'
import { queryClient, useGet } from './api/query'
import type { Session } from './api/types'
import { PLAN_OF_SCOPE, PLANS } from './generated/fields'
import { isRecord, isText } from './values'

export type Scope = keyof typeof PLAN_OF_SCOPE

export const sessionQuery = {
  queryKey: ['dashboard', '/dashboard/session', {}],
  queryFn: async () => (await get('/dashboard/session')).data,
  staleTime: 60_000,
  retry: (count: number, error: Error) => isUnreachable(error) && count < 5,
}

/** Removes all data of the previous user; the queries of the current page are kept. */
export const forget = () => queryClient.removeQueries({ type: 'inactive' })

/** The signed-in user; undefined while it is fetched and after the sign-out. */
export const useMaybeSession = () => useQuery(sessionQuery).data

/** The signed-in user; pages inside the shell always have one. */
export function useSession(): Session {
  const session = useMaybeSession()
  if (!session) throw new Error('There is no signed-in user.')
  return session
}

/** Whether role and plan both allow it. */
export function allows(session: Session, scope: Scope): boolean {
  const plans: readonly string[] = PLANS
  const included = plans.indexOf(session.workspace.plan) >= plans.indexOf(PLAN_OF_SCOPE[scope])
  return session.scopes.includes(scope) && included
}

export function useCan(scope: Scope): boolean {
  return allows(useSession(), scope)
}

export function useManages(): boolean {
  return useSession().role !== 'member'
}

type Person = { first_name: string; last_name?: string | null }

export const personName = (person: Person | null | undefined) =>
  person ? [person.first_name, person.last_name].filter(Boolean).join(' ') : ''

const isPerson = (value: unknown): value is Person =>
  isRecord(value) && isText(value.first_name) && (isText(value.last_name) || (value.last_name ?? null) === null)

/** The name in a record of any type; empty if the record is not a person. */
export const nameOf = (value: unknown) => (isPerson(value) ? personName(value) : '')

/** The people of the workspace, by id. */
export function useMembers() {
  const members = useGet('/workspace/members', undefined, { staleTime: 300_000 }).data?.data ?? []
  return { members, nameOf: (id: string | null | undefined) => personName(members.find((one) => one.user_id === id)) }
}

/** Read when the page is loaded, before the router uses the history. */
let removed: string | null = window.history.state?.removed ?? null

/** Leaves a removed workspace: reloads the page and keeps only the workspace's name. */
export function leaveRemoved(name: string) {
  window.history.replaceState({ removed: name }, '', '/sign-in')
  window.location.reload()
}

/** The workspace that was just removed; returned once. */
export function takeRemoval(): string | null {
  const name = removed
  removed = null
  return name
}
