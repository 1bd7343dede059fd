import {
  keepPreviousData,
  QueryClient,
  skipToken,
  type UseQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { type Answer, ApiError, get, type Params, request } from './client'
import { getList, getOne, type List } from './lists'
import type { DataOf, Path } from './paths'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      retry: (count, error) => count < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
    },
  },
})

/** The key of a query: the collection, the path and the parameters. */
export const keyOf = (path: string, params?: Params) => [path.split('/')[1], path, params ?? {}] as const

type Options<T> = Partial<UseQueryOptions<Answer<T>, Error>>

export function useGet<P extends Path<'get'>>(path: P | null, params?: Params, options?: Options<DataOf<P>>) {
  return useQuery<Answer<DataOf<P>>, Error>({
    queryKey: keyOf(path ?? '/none', params),
    queryFn: path === null ? skipToken : () => get(path, params),
    ...options,
  })
}

/** A list that stays on the screen while the next one is fetched. */
export function useList<P extends Path<'get'>>(path: P | null, params?: Params, options?: Options<DataOf<P>>) {
  return useGet(path, params, { placeholderData: keepPreviousData, ...options })
}

/**
 * A list by cursor, page by page. With `every`, it is refetched after so many milliseconds while only its first page is
 * shown.
 */
export function usePages<P extends Path<'get'>>(path: P, params: Params = {}, every?: number) {
  return useInfiniteQuery({
    queryKey: [...keyOf(path, params), 'pages'],
    queryFn: ({ pageParam }) => get(path, { ...params, cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (every && (query.state.data?.pages.length ?? 1) <= 1 ? every : false),
  })
}

/** The same for a list of any records. */
export function useListOf<T>(list: List<T>, params?: Params) {
  return useQuery({
    queryKey: keyOf(list, params),
    queryFn: () => getList(list, params),
    placeholderData: keepPreviousData,
  })
}

export function useOneOf<T>(list: List<T>, id: string | null | undefined) {
  return useQuery({ queryKey: keyOf(id ? `${list}/${id}` : '/none'), queryFn: id ? () => getOne(list, id) : skipToken })
}

export function usePagesOf<T>(list: List<T>, params: Params = {}) {
  return useInfiniteQuery({
    queryKey: [...keyOf(list, params), 'pages'],
    queryFn: ({ pageParam }) => getList(list, { ...params, cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/** Refetches all queries of these collections. */
export function refresh(...words: string[]) {
  return queryClient.invalidateQueries({
    predicate: (query) => {
      const path = query.queryKey[1]
      return typeof path === 'string' && path.split('/').some((part) => words.includes(part))
    },
  })
}

type Stored = { id: string }

function patched<T>(data: T, id: string, changes: object): T {
  if (Array.isArray(data)) return data.map((one) => patched(one, id, changes)) as T
  if (data && typeof data === 'object' && (data as unknown as Stored).id === id) return { ...data, ...changes }
  return data
}

/** Applies changes of one record to every cached answer that contains it; returns a function that reverts them. */
export function patchRecord(id: string, changes: object): () => void {
  const before = queryClient.getQueriesData({})
  for (const [key, answer] of before) {
    const held = answer as Answer<unknown> & { pages?: Answer<unknown>[] }
    if (held?.pages) {
      const pages = held.pages.map((page) => ({ ...page, data: patched(page.data, id, changes) }))
      queryClient.setQueryData(key, { ...held, pages })
    } else if (held?.data) {
      const data = patched(held.data, id, changes)
      if (data !== held.data) queryClient.setQueryData(key, { ...held, data })
    }
  }
  return () => {
    for (const [key, answer] of before) queryClient.setQueryData(key, answer)
  }
}

/** Shows a change at once and reverts it if the server refuses it. The members are those of the edited field. */
export async function save(path: string, id: string, changes: object): Promise<Stored> {
  const { custom_data, ...plain } = changes as { custom_data?: object }
  const undo = patchRecord(id, plain)
  try {
    const answer = await request<Stored>('PUT', `${path}/${id}`, changes)
    patchRecord(id, answer.data)
    return answer.data
  } catch (error) {
    undo()
    throw error
  }
}

/** An action with its state, for buttons and dialogs. */
export function useAction<A, R>(run: (argument: A) => Promise<R>, after?: (result: R, argument: A) => void) {
  return useMutation<R, Error, A>({ mutationFn: run, onSuccess: (result, argument) => after?.(result, argument) })
}
