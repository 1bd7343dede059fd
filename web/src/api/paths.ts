import type { paths as ApiPaths } from '../generated/api'
import type { paths as DashboardPaths } from '../generated/dashboard'

/**
 * Requests are typed by their path: `/contacts/${id}` is the operation `/contacts/{id}` of the API document, with its
 * body and its answer.
 */
type Paths = ApiPaths & DashboardPaths
type Name = keyof Paths & string

export type Method = 'get' | 'post' | 'put' | 'delete'

/** `/contacts/{id}/notes` as `/contacts/${string}/notes`. */
type Pattern<N extends string> = N extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Pattern<After>}`
  : N

type Patterns = { [N in Name]: Pattern<N> }

/** The paths with this method. */
export type Path<M extends Method> = {
  [N in Name]: Paths[N] extends Record<M, { responses: unknown }> ? Patterns[N] : never
}[Name]

/** The name in the document of exactly this path. A union of paths gives the names of all. */
type NameOf<P> = P extends string
  ? { [N in Name]: P extends Patterns[N] ? (Patterns[N] extends P ? N : never) : never }[Name]
  : never

type Operation<P, M extends Method> = NameOf<P> extends infer N ? (N extends Name ? Paths[N][M] : never) : never

type Json<T> = T extends { content: { 'application/json': infer B } } ? B : never

type Success<O> = O extends { responses: infer R }
  ? Json<R extends { 200: infer T } ? T : R extends { 201: infer T } ? T : R extends { 202: infer T } ? T : never>
  : never

/** The data of an answer. */
export type DataOf<P, M extends Method = 'get'> = Success<Operation<P, M>> extends { data: infer D } ? D : never

/** One record of a list. */
export type ItemOf<P> = DataOf<P> extends (infer T)[] ? T : never

/** The body of a request. */
export type BodyOf<P, M extends Method> =
  Operation<P, M> extends infer O ? (O extends { requestBody?: infer R } ? Json<NonNullable<R>> : never) : never

type Queries<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never

/** A number is also allowed as text, and a text may occur several times. */
type Parameter<V> = V extends number ? V | `${V}` : string extends V ? string | string[] : V

type QueryParameters<Q> = Q extends unknown ? { [K in keyof Q]: Parameter<NonNullable<Q[K]>> } : never

/**
 * The query parameters of a request. A literal is checked name by name; filters from the address (`Params`) fit every
 * path, since they also contain the workspace's own fields.
 */
export type QueryOf<P, M extends Method = 'get'> = [Queries<Operation<P, M>>] extends [never]
  ? { [name: string]: never }
  : QueryParameters<Queries<Operation<P, M>>>

/** The path without the id at its end. */
type Parent<N extends string> = N extends `${infer Before}/{${infer Id}}`
  ? Id extends `${infer First}}/${infer Rest}`
    ? `${Before}/{${First}}/${Parent<`${Rest}}`>}`
    : Before
  : never

/** The paths of records that can be changed by id: `/contacts` for `/contacts/{id}`. */
export type Changeable = {
  [N in Name]: Paths[N] extends { put: { responses: unknown } } ? Pattern<Parent<N>> : never
}[Name]
