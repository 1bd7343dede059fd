import { useQuery } from '@tanstack/react-query'
import { get } from './api/client'
import { useGet } from './api/query'
import type { Member, Session } from './api/types'

export const sessionQuery = {
  queryKey: ['dashboard', '/dashboard/session', {}],
  queryFn: async () => (await get<Session>('/dashboard/session')).data,
  staleTime: 60_000,
  retry: false,
}

/** Who is signed in; screens inside the shell always have one. */
export function useSession(): Session {
  return useQuery(sessionQuery).data as Session
}

export function useCan(scope: string): boolean {
  return useSession().scopes.includes(scope)
}

export function useManages(): boolean {
  return useSession().role !== 'member'
}

export const personName = (person: { first_name: string; last_name?: string | null } | null | undefined) =>
  person ? [person.first_name, person.last_name].filter(Boolean).join(' ') : ''

/** The people of the workspace, by id. */
export function useMembers() {
  const members = useGet<Member[]>('/workspace/members', undefined, { staleTime: 300_000 }).data?.data ?? []
  return { members, nameOf: (id: string | null | undefined) => personName(members.find((one) => one.user_id === id)) }
}
