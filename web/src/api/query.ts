import {
  keepPreviousData,
  QueryClient,
  skipToken,
  type UseQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { isRecord, recordsOf } from '../values'
import { type Answer, ApiError, get, type Params, put, remove, request } from './client'
import { isDown, isUnreachable } from './connection'
import type { List } from './lists'
import type { Changeable, DataOf, ItemOf, Path, QueryOf } from './paths'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      retry: (count, error) =>
        isUnreachable(error)
          ? count < 2 || isDown()
          : count < 2 && (!(error instanceof ApiError) || error.status >= 500),
      retryDelay: (count) => Math.min(1000 * 2 ** count, 4000),
    },
  },
})

/** The key of a query: the collection, the path and the parameters. */
export const keyOf = (path: string, params?: object) => [path.split('/')[1], path, params ?? {}] as const

type Options<T> = Partial<UseQueryOptions<Answer<T>, Error>>

export function useGet<P extends Path<'get'>>(path: P | null, params?: QueryOf<P>, options?: Options<DataOf<P>>) {
  return useQuery<Answer<DataOf<P>>, Error>({
    queryKey: keyOf(path ?? '/none', params),
    queryFn: path === null ? skipToken : () => get(path, params),
    ...options,
  })
}

/** A list that stays on the screen while the next one is fetched. */
export function useList<P extends Path<'get'>>(path: P | null, params?: QueryOf<P>, options?: Options<DataOf<P>>) {
  return useGet(path, params, { placeholderData: keepPreviousData, ...options })
}

/**
 * A list by cursor, page by page. With `every`, it is refetched after so many milliseconds while only its first page is
 * shown.
 */
export function usePages<P extends Path<'get'>>(path: P | null, params?: QueryOf<P>, every?: number) {
  return useInfiniteQuery({
    queryKey: [...keyOf(path ?? '/none', params), 'pages'],
    queryFn:
      path === null
        ? skipToken
        : ({ pageParam }: { pageParam: string }) =>
            request<DataOf<P>>('GET', path, undefined, { ...params, cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (every && (query.state.data?.pages.length ?? 1) <= 1 ? every : false),
  })
}

/** A whole list, read page by page. Only for lists that stay short enough to be shown at once. */
export function useAll<P extends Path<'get'>>(path: P | null, params?: QueryOf<P>) {
  const every = async (whole: P) => {
    const items: ItemOf<P>[] = []
    let cursor: string | null | undefined = ''
    do {
      const { data, meta }: Answer<ItemOf<P>[]> = await request('GET', whole, undefined, {
        ...params,
        limit: '100',
        count: 'none',
        cursor,
      })
      items.push(...data)
      cursor = meta.next_cursor
    } while (cursor)
    return { data: items }
  }
  return useQuery({
    queryKey: [...keyOf(path ?? '/none', params), 'all'],
    queryFn: path === null ? skipToken : () => every(path),
    placeholderData: keepPreviousData,
  })
}

/** The same for a list of any records. */
export function useListOf<T>(list: List<T>, params?: Params) {
  return useQuery({
    queryKey: keyOf(list.path, params),
    queryFn: () => list.page(params),
    placeholderData: keepPreviousData,
  })
}

export function usePagesOf<T>(list: List<T>, params: Params = {}) {
  return useInfiniteQuery({
    queryKey: [...keyOf(list.path, params), 'pages'],
    queryFn: ({ pageParam }) => list.page({ ...params, cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/** The cached answer of a path, if it was fetched. */
export const cached = <P extends Path<'get'>>(path: P) => queryClient.getQueryData<Answer<DataOf<P>>>(keyOf(path))

/** The ids of records that were erased here. Their page may still be open for a moment, and they would answer 404. */
const erased = new Set<string>()

/** Whether a path still exists, as far as this browser knows. */
export const exists = (path: string) => !path.split('/').some((part) => erased.has(part))

/** Refetches all queries of these collections. */
export function refresh(...words: string[]) {
  return queryClient.invalidateQueries({
    predicate: (query) => {
      const path = query.queryKey[1]
      return typeof path === 'string' && exists(path) && path.split('/').some((part) => words.includes(part))
    },
  })
}

const ofErased = ({ queryKey: [, path] }: { queryKey: readonly unknown[] }) => typeof path === 'string' && !exists(path)

/** Forgets what is cached of erased records, so that the way back does not show them. */
export const forgetErased = () => queryClient.removeQueries({ predicate: ofErased })

/** Refetches duplicates, which may contain a record that was erased. */
export const refreshDuplicates = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [, path] }) => typeof path === 'string' && path.endsWith('/duplicates'),
  })

/** Erases a record for good. */
export async function erase(collection: 'contacts' | 'companies', id: string) {
  erased.add(id)
  try {
    await remove(`/${collection}/${id}`, { erase: 'true' })
    queryClient.removeQueries({ type: 'inactive', predicate: ofErased })
    refreshDuplicates()
  } catch (error) {
    erased.delete(id)
    throw error
  }
}

function patched(data: unknown, id: string, changes: object): unknown {
  if (Array.isArray(data)) return data.map((one) => patched(one, id, changes))
  if (isRecord(data) && data.id === id) return { ...data, ...changes }
  return data
}

/** Applies changes of one record to every cached answer that contains it; returns a function that reverts them. */
export function patchRecord(id: string, changes: object): () => void {
  const before = queryClient.getQueriesData({})
  for (const [key, answer] of before) {
    if (!isRecord(answer)) continue
    if (answer.pages) {
      const pages = recordsOf(answer.pages).map((page) => ({ ...page, data: patched(page.data, id, changes) }))
      queryClient.setQueryData(key, { ...answer, pages })
    } else if (answer.data) {
      const data = patched(answer.data, id, changes)
      if (data !== answer.data) queryClient.setQueryData(key, { ...answer, data })
    }
  }
  return () => {
    for (const [key, answer] of before) queryClient.setQueryData(key, answer)
  }
}

/** Shows a change at once and reverts it if the server refuses it. The members are those of the edited field. */
export async function save(path: Changeable, id: string, changes: Record<string, unknown>) {
  const { custom_data, ...plain } = changes
  const undo = patchRecord(id, plain)
  try {
    const answer = await put(`${path}/${id}`, changes)
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
