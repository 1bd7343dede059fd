import { Button, Group, Text, useComputedColorScheme } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { post } from '../api/client'
import { Linked } from '../shell/Linked'
import { fail } from '../shell/tell'
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
}

/** The content of a message: its HTML if it has any, otherwise its text. Quoted mail is folded. */
export function Mail({ text, quoted = null, html: stored, title, messageId }: Props) {
  const [isOpen, setOpen] = useState(false)
  const loading = useMutation({
    mutationFn: (id: string) => post(`/dashboard/messages/${id}/images`),
    onError: fail,
  })
  const images = loading.data?.data.images
  const html = useMemo(() => (stored && images ? withImages(stored, images) : stored), [stored, images])
  const missing = images?.filter((one) => !one.content).length ?? 0
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

function documentOf(html: string, scheme: 'light' | 'dark') {
  const { text, link, line } = COLORS[scheme]
  return `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="color-scheme" content="${scheme}"><base target="_blank"><style>
html{color-scheme:${scheme}}body{margin:0;color:${text};background:transparent;font:13px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:${link}}table{border-collapse:collapse;max-width:100%}td,th{padding:2px 6px;vertical-align:top}
blockquote{margin:8px 0;padding-left:10px;border-left:2px solid ${line}}p{margin:0 0 8px}pre{white-space:pre-wrap}img{max-width:100%;object-fit:contain}
</style></head><body>${html}</body></html>`
}

const HIGHEST = 20_000

/**
 * HTML in a frame without scripts and without access to this page. Its height can't be read from here, so it is measured in
 * a second, hidden frame, which has no scripts and no links.
 */
function Frame({ html, title }: { html: string; title: string }) {
  const scheme = useComputedColorScheme('light')
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [measured, setMeasured] = useState({ of: '', height: 40 })
  const source = useMemo(() => documentOf(html, scheme), [html, scheme])
  useEffect(() => {
    if (!box.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  const wanted = `${width} ${source}`
  return (
    <div ref={box} className={classes.frame}>
      <iframe
        title={title}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        srcDoc={source}
        style={{ height: measured.height, colorScheme: scheme }}
      />
      {width > 0 && measured.of !== wanted && (
        <iframe
          key={wanted}
          title="Measure"
          aria-hidden
          tabIndex={-1}
          sandbox="allow-same-origin"
          srcDoc={source}
          className={classes.measure}
          onLoad={(event) => {
            const root = event.currentTarget.contentDocument?.documentElement
            setMeasured({ of: wanted, height: Math.min(root?.scrollHeight ?? 400, HIGHEST) })
          }}
        />
      )}
    </div>
  )
}
