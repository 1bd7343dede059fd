import { Button, Text, useComputedColorScheme } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Linked } from '../shell/Linked'
import classes from './inbox.module.css'
import { splitHtml, splitText } from './quotes'

/** The content of a message: its HTML if it has any, otherwise its text. Quoted mail is folded. */
export function Mail({ text, html, title }: { text: string; html: string | null; title: string }) {
  const [isOpen, setOpen] = useState(false)
  const split = useMemo(() => (html ? splitHtml(html) : splitText(text)), [text, html])
  const shown = isOpen ? (html ?? text) : split.shown
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
      {split.hasImages && (
        <Text size="xs" c="dimmed" mt={4}>
          Images are not loaded.
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
blockquote{margin:8px 0;padding-left:10px;border-left:2px solid ${line}}p{margin:0 0 8px}pre{white-space:pre-wrap}img{max-width:100%}
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
