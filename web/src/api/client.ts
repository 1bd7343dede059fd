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
    return Array.isArray(this.details) ? (this.details as Problem[]) : []
  }
}

export const SIGNED_OUT = 'relata:signed-out'

/** Paths of the dashboard's own API are unchanged; all others are below `/api/v1`. */
export function address(path: string, params?: Params): string {
  const base = path.startsWith('/dashboard/') ? path : `/api/v1${path}`
  const query = params ? queryString(params) : ''
  return query ? `${base}?${query}` : base
}

export function queryString(params: Params): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, one)
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

/** Sends a request; if the server requires the password again, the request is repeated after the password was given. */
export async function call<T>(method: string, path: string, body?: unknown, params?: Params): Promise<Answer<T>> {
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

async function send<T>(method: string, path: string, body?: unknown, params?: Params): Promise<Answer<T>> {
  const form = body instanceof FormData
  let response: Response
  try {
    response = await fetch(address(path, params), {
      method,
      credentials: 'same-origin',
      headers: body === undefined || form ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : form ? body : JSON.stringify(body),
    })
  } catch {
    throw offline()
  }
  return answered<T>(path, response.status, await response.text(), response.headers.get('x-request-id'))
}

const offline = () =>
  new ApiError(0, 'offline', 'The server can’t be reached. Check the connection; nothing was changed.', null, null)

/** Sends a form and reports how much of it has been sent, from 0 to 1, which `fetch` can’t. */
export function uploadForm<T>(
  path: string,
  form: FormData,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<Answer<T>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', address(path))
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total)
    request.onerror = () => reject(offline())
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'))
    request.onload = () => {
      try {
        resolve(answered<T>(path, request.status, request.responseText, request.getResponseHeader('x-request-id')))
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
  if (status >= 200 && status < 300) return { data: parsed?.data as T, meta: (parsed?.meta as Meta) ?? {} }
  const error = (parsed?.error ?? {}) as { code?: string; message?: string; request_id?: string; details?: unknown }
  const message = error.message ?? `The server answered ${status}.`
  if (status === 401 && !path.startsWith('/dashboard/sign-in')) window.dispatchEvent(new Event(SIGNED_OUT))
  throw new ApiError(status, error.code ?? 'unknown', message, error.request_id ?? id, error.details)
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const get = <T>(path: string, params?: Params) => call<T>('GET', path, undefined, params)
export const post = <T>(path: string, body: unknown = {}) => call<T>('POST', path, body)
export const put = <T>(path: string, body: unknown) => call<T>('PUT', path, body)
export const remove = <T>(path: string, params?: Params) => call<T>('DELETE', path, undefined, params)

/** The same request as a curl command, for use in a program. */
export function asCurl(path: string, params?: Params): string {
  return `curl -H "Authorization: Bearer $RELATA_KEY" '${location.origin}${address(path, params)}'`
}
