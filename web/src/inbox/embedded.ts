import { address } from '../api/client'
import type { Message } from '../api/types'
import { embeddedIn } from './quotes'

type File = Message['attachments'][number]

/** Larger and further images are offered for download alone. */
const LARGEST = 5_000_000
const LARGEST_TOGETHER = 20_000_000
const MOST = 60

const idOf = (image: string) => {
  const id = image.slice('cid:'.length)
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

/** The files among a mail's attachments that its HTML shows as images, by the addresses that it names them with. */
export function embeddedFiles(html: string | null, attachments: File[]) {
  const files = new Map<string, File>()
  if (!html || !attachments.some((one) => one.content_id)) return files
  let left = LARGEST_TOGETHER
  for (const image of embeddedIn(html).slice(0, MOST)) {
    const file = attachments.find((one) => one.content_id === idOf(image))
    if (!file || file.left_out || !file.content_type.startsWith('image/')) continue
    if (file.size > LARGEST || file.size > left) continue
    left -= file.size
    files.set(image, file)
  }
  return files
}

/** The images as `data:` addresses, the only ones that the frame of a mail may load. */
export function loadEmbedded(files: Map<string, File>) {
  return Promise.all([...files].map(async ([image, file]) => ({ address: image, content: await contentOf(file) })))
}

async function contentOf(file: File): Promise<string | null> {
  const response = await fetch(address(file.path.replace(/^\/api\/v1/, '')))
  if (!response.ok) return null
  const image = new Blob([await response.blob()], { type: file.content_type })
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => resolve(null)
    reader.readAsDataURL(image)
  })
}
