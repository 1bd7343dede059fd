import { Button, Group, Text, useComputedColorScheme } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { post } from '../api/client'
import type { Message } from '../api/types'
import { Linked } from '../shell/Linked'
import { notifyError } from '../shell/notices'
import { embeddedFiles, loadEmbedded } from './embedded'
import classes from './inbox.module.css'
import { splitHtml, withImages } from './quotes'

type Props = {
  text: string
  /** The mail that the text quotes. */
  quoted?: string | null
  html: string | null
  title: string
  /** The message whose images can be loaded. */
  messageId?: string
  /** Its files, some of which may be images that the HTML shows. */
  attachments?: Message['attachments']
}

const NO_FILES: Message['attachments'] = []

/** The content of a message: its HTML if it has any, otherwise its text. Quoted mail is folded. */
export function Mail({ text, quoted = null, html: stored, title, messageId, attachments = NO_FILES }: Props) {
  const [isOpen, setOpen] = useState(false)
  const loading = useMutation({
    mutationFn: (id: string) => post(`/dashboard/messages/${id}/images`),
    onError: notifyError,
  })
  const files = useMemo(() => embeddedFiles(stored, attachments), [stored, attachments])
  const embedded = useQuery({
    queryKey: ['embedded', messageId],
    queryFn: () => loadEmbedded(files),
    enabled: files.size > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const images = loading.data?.data.images
  const loaded = useMemo(() => [...(images ?? []), ...(embedded.data ?? [])], [images, embedded.data])
  const html = useMemo(() => (stored && loaded.length > 0 ? withImages(stored, loaded) : stored), [stored, loaded])
  const missing = loaded.filter((one) => !one.content).length
  const split = useMemo(
    () => (html ? splitHtml(html) : { shown: text, isQuoting: quoted !== null, hasImages: false }),
    [text, html, quoted],
  )
  const shown = isOpen ? (html ?? `${text}\n\n${quoted}`) : split.shown
  return (
    <>
      {html ? (
        <Frame html={shown} title={title} />
      ) : (
        <div style={{ whiteSpace: 'pre-wrap' }}>
          <Linked text={shown} />
        </div>
      )}
      {split.isQuoting && (
        <Button size="compact-xs" variant="default" mt={6} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide quoted text' : 'Show quoted text'}
        </Button>
      )}
      {split.hasImages && !images && (
        <Group gap={8} mt={6}>
          <Text size="xs" c="dimmed">
            Images are not loaded. Loading them tells the sender that the message was opened.
          </Text>
          {messageId && (
            <Button
              size="compact-xs"
              variant="default"
              loading={loading.isPending}
              onClick={() => loading.mutate(messageId)}
            >
              Load images
            </Button>
          )}
        </Group>
      )}
      {missing > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {missing === 1 ? 'One image is not available.' : `${missing} images are not available.`}
        </Text>
      )}
    </>
  )
}

const COLORS = {
  light: { text: '#0f1a1c', link: '#0a6072', line: '#cfd8d9' },
  dark: { text: '#e8efef', link: '#62c6d8', line: '#35444a' },
}

/** Nothing is loaded and nothing runs in a mail, whatever the server left in it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/** Colours of the sender's own fit a white page alone. The server has written every attribute in this form. */
const hasColors = (html: string) => /<[^>]* (?:bgcolor="|color="|style="[^"]*color:)/i.test(html)

function documentOf(html: string, scheme: 'light' | 'dark', isOnPaper: boolean) {
  const { text, link, line } = COLORS[scheme]
  const page = isOnPaper ? 'background:#fff;padding:8px 12px' : 'background:transparent'
  return `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="color-scheme" content="${scheme}"><base target="_blank"><style>
html{color-scheme:${scheme}}body{margin:0;color:${text};${page};font:13px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:${link}}table{border-collapse:collapse;max-width:100%}td,th{padding:2px 6px;vertical-align:top}
blockquote{margin:8px 0;padding-left:10px;border-left:2px solid ${line}}p{margin:0 0 8px}pre{white-space:pre-wrap}img{max-width:100%;object-fit:contain}
</style></head><body>${html}</body></html>`
}

const HIGHEST = 20_000

/**
 * HTML in a frame without scripts. The frame has the origin of this page, so that it can be measured and its keys reach the
 * screen: docs/decisions/068-keys-in-the-frame-of-a-mail.md.
 */
function Frame({ html, title }: { html: string; title: string }) {
  const theme = useComputedColorScheme('light')
  const isOnPaper = theme === 'dark' && hasColors(html)
  const scheme = isOnPaper ? 'light' : theme
  const box = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const source = useMemo(() => documentOf(html, scheme, isOnPaper), [html, scheme, isOnPaper])
  useEffect(() => {
    if (!box.current) return
    let width: number | undefined
    const observer = new ResizeObserver(([entry]) => {
      // The height that is set here is also a change of the box.
      if (entry.contentRect.width !== width) fit(frame.current)
      width = entry.contentRect.width
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={box} className={classes.frame}>
      <iframe
        ref={frame}
        title={title}
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        srcDoc={source}
        style={{ colorScheme: scheme }}
        onLoad={({ currentTarget }) => {
          fit(currentTarget)
          currentTarget.contentDocument?.addEventListener('keydown', (event) => forward(event, currentTarget))
        }}
      />
    </div>
  )
}

/** Gives a frame the height of its content. */
function fit(frame: HTMLIFrameElement | null) {
  const root = frame?.contentDocument?.documentElement
  const box = frame?.parentElement
  if (!root || !box) return
  // The box keeps its height meanwhile, so that the conversation does not scroll.
  box.style.height = `${box.offsetHeight}px`
  frame.style.height = '0'
  frame.style.height = `${Math.min(root.scrollHeight, HIGHEST)}px`
  box.style.height = ''
}

/** After a click in a mail, its frame has the focus and gets the keys of the screen. */
function forward(event: KeyboardEvent, frame: HTMLIFrameElement) {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey, repeat } = event
  const init = { key, code, ctrlKey, metaKey, altKey, shiftKey, repeat, bubbles: true, cancelable: true }
  // A key that the screen uses does nothing in the mail; the others scroll, copy and open links as usual.
  if (!frame.dispatchEvent(new KeyboardEvent('keydown', init))) event.preventDefault()
}
