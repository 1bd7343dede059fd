import { useQuery } from '@tanstack/react-query'
import { get } from './api/client'
import { queryClient, useGet } from './api/query'
import type { Session } from './api/types'
import { PLAN_OF_SCOPE, PLANS } from './generated/fields'

export type Scope = keyof typeof PLAN_OF_SCOPE

export const sessionQuery = {
  queryKey: ['dashboard', '/dashboard/session', {}],
  queryFn: async () => (await get('/dashboard/session')).data,
  staleTime: 60_000,
  retry: false,
}

/** Removes all data of the previous user; the queries of the current page are kept. */
export const forget = () => queryClient.removeQueries({ type: 'inactive' })

/** The signed-in user; pages inside the shell always have one. */
export function useSession(): Session {
  return useQuery(sessionQuery).data as Session
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

export const personName = (person: { first_name: string; last_name?: string | null } | null | undefined) =>
  person ? [person.first_name, person.last_name].filter(Boolean).join(' ') : ''

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
