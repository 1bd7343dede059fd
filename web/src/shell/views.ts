import type { Params } from '../api/client'
import { useList } from '../api/query'
import type { View } from '../api/types'
import { isText, textsOf } from '../values'

/** All views that the user sees: their own and shared ones. Navigation and lists read them with one request. */
export const useViews = () => useList('/dashboard/views', undefined, { staleTime: 60_000 }).data?.data ?? []

/** The address of a view: its stored state as parameters. */
export function searchOf(view: View): Params {
  const search: Params = {}
  for (const [name, value] of Object.entries(view.state)) {
    if (isText(value)) search[name] = value
    else if (Array.isArray(value)) search[name] = textsOf(value)
  }
  return { ...search, view: view.id }
}
