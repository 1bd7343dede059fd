import { type Answer, type Params, request } from './client'
import type { ItemOf, Path } from './paths'

declare const item: unique symbol

/** The path of a list that carries the type of its records, for components that work with any list. */
export type List<T> = string & { readonly [item]: T }

// A cast, because the type of the records exists only for the compiler.
export const listOf = <P extends Path<'get'>>(path: P) => path as string as List<ItemOf<P>>

export const getList = <T>(list: List<T>, params?: Params): Promise<Answer<T[]>> =>
  request<T[]>('GET', list, undefined, params)

/** One record of a list. */
export const getOne = <T>(list: List<T>, id: string): Promise<Answer<T>> => request<T>('GET', `${list}/${id}`)
