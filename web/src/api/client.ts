import { isRecord, isText, textOf } from '../values'
import type { BodyOf, DataOf, Path, QueryOf } from './paths'

/** Query parameters in the list grammar; a name may occur several times. */
export type Params = Record<string, string | string[]>

export type Meta = {
  total?: number | null
  limit?: number
  offset?: number
  has_more?: boolean
  next_cursor?: string | null
}

export type Answer<T> = { data: T; meta: Meta }

export type Problem = { field: string; reason: string }

const isProblem = (value: unknown): value is Problem => isRecord(value) && isText(value.field) && isText(value.reason)

/** An error answer, with the server's message. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | null,
    readonly details: unknown,
  ) {
    super(message)
  }

  /** The problems of single members, if the server named them. */
  get problems(): Problem[] {
    return Array.isArray(this.details) ? this.details.filter(isProblem) : []
  }

  /** The same error with some of its problems. */
  with(problems: Problem[]): ApiError {
    return new ApiError(this.status, this.code, this.message, this.requestId, problems)
  }
}

export const SIGNED_OUT = 'relata:signed-out'

/** Paths of the dashboard's own API are unchanged; all others are below `/api/v1`. */
export function address(path: string, params?: object): string {
  const base = path.startsWith('/dashboard/') ? path : `/api/v1${path}`
  const query = params ? queryString(params) : ''
  return query ? `${base}?${query}` : base
}

/** The first value of a parameter that may occur several times. */
export const firstOf = (value: string | string[] | undefined): string | undefined => [value].flat()[0]

export function queryString(params: object): string {
  const query = new URLSearchParams()
  const pairs: [string, unknown][] = Object.entries(params)
  for (const [name, value] of pairs) {
    for (const one of [value ?? []].flat()) query.append(name, String(one))
  }
  return query.toString()
}

type Ask = () => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/**
 * Registers the dialog that asks for the password when the server requires it again; returns a function that
 * unregisters it.
 */
export function onReauthenticate(handler: Ask): () => void {
  ask = handler
  return () => {
    if (ask === handler) ask = undefined
  }
}

/** Requests that need the password at the same time share one dialog. */
function reauthenticated(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return asking
}

/**
 * Sends a request of any path: `get`, `post`, `put` and `remove` give its types. If the server requires the password
 * again, the request is repeated after the password was given.
 */
export async function request<T>(method: string, path: string, body?: unknown, params?: object): Promise<Answer<T>> {
  try {
    return await send<T>(method, path, body, params)
  } catch (error) {
    const asked = error instanceof ApiError && error.code === 'reauthentication_required'
    if (!asked) throw error
    if (!(await reauthenticated())) {
      throw new ApiError(403, error.code, 'Not done: your password was not confirmed.', null, null)
    }
    return send<T>(method, path, body, params)
  }
}

/** Most characters of a request that outlives its page; browsers allow 64 KiB. */
const KEPT_ALIVE = 15_000

async function send<T>(method: string, path: string, body?: unknown, params?: object): Promise<Answer<T>> {
  const form = body instanceof FormData
  const sent = body === undefined ? undefined : form ? body : JSON.stringify(body)
  let response: Response
  try {
    response = await fetch(address(path, params), {
      method,
      credentials: 'same-origin',
      headers: body === undefined || form ? {} : { 'content-type': 'application/json' },
      body: sent,
      // What is sent while the page is closed arrives all the same. Browsers accept this for short texts.
      keepalive: document.visibilityState === 'hidden' && typeof sent === 'string' && sent.length < KEPT_ALIVE,
    })
  } catch {
    throw offline()
  }
  return answered<T>(path, response.status, await response.text(), response.headers.get('x-request-id'))
}

const offline = () =>
  new ApiError(0, 'offline', 'The server can’t be reached. Check the connection; nothing was changed.', null, null)

/** Sends a form and reports how much of it has been sent, from 0 to 1, which `fetch` can’t. */
export function uploadForm<P extends Path<'post'>>(
  path: P,
  form: FormData,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<Answer<DataOf<P, 'post'>>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', address(path))
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total)
    request.onerror = () => reject(offline())
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'))
    request.onload = () => {
      try {
        resolve(answered(path, request.status, request.responseText, request.getResponseHeader('x-request-id')))
      } catch (error) {
        reject(error)
      }
    }
    signal?.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

/** The data of an answer; throws an `ApiError` for an error. */
function answered<T>(path: string, status: number, text: string, id: string | null): Answer<T> {
  const parsed = parse(text)
  if (status >= 200 && status < 300) {
    // A cast, because the type comes from the API document; the server's tests compare every answer with it.
    const { data, meta } = parsed as { data: T; meta?: Meta }
    return { data, meta: meta ?? {} }
  }
  const error = isRecord(parsed.error) ? parsed.error : {}
  const message = textOf(error.message) ?? `The server answered ${status}.`
  if (status === 401 && !path.startsWith('/dashboard/sign-in')) window.dispatchEvent(new Event(SIGNED_OUT))
  throw new ApiError(status, textOf(error.code) ?? 'unknown', message, textOf(error.request_id) ?? id, error.details)
}

/** The members of an answer; none if it is empty or no JSON. */
function parse(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    return isRecord(parsed) ? parsed : {}
  } catch {
    return {}
  }
}

export const get = <P extends Path<'get'>>(path: P, params?: QueryOf<P>) =>
  request<DataOf<P>>('GET', path, undefined, params)
export const post = <P extends Path<'post'>>(path: P, body?: BodyOf<P, 'post'>, params?: QueryOf<P, 'post'>) =>
  request<DataOf<P, 'post'>>('POST', path, body ?? {}, params)
export const put = <P extends Path<'put'>>(path: P, body: BodyOf<P, 'put'>) =>
  request<DataOf<P, 'put'>>('PUT', path, body)
export const remove = <P extends Path<'delete'>>(path: P, params?: QueryOf<P, 'delete'>) =>
  request<DataOf<P, 'delete'>>('DELETE', path, undefined, params)

/** Sends a file in a form. */
export const postForm = <P extends Path<'post'>>(path: P, form: FormData) =>
  request<DataOf<P, 'post'>>('POST', path, form)

/** Sends the values of a form. The server checks them, and the form shows its problems beside them. */
export const postValues = <P extends Path<'post'>>(path: P, values: object) =>
  request<DataOf<P, 'post'>>('POST', path, values)

/** Deletes with a body, which confirms it. */
export const removeWith = <P extends Path<'delete'>>(path: P, body: BodyOf<P, 'delete'>) =>
  request<DataOf<P, 'delete'>>('DELETE', path, body)

/** The same request as a curl command, for use in a program. */
export function asCurl(path: string, params?: object): string {
  return `curl -H "Authorization: Bearer $RELATA_KEY" '${location.origin}${address(path, params)}'`
}
