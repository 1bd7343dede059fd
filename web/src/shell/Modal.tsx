import { Modal as MantineModal, type ModalProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { ask } from './ask'

type Props = ModalProps & { guarded?: boolean; unsaved?: boolean }

const UNSAVED = {
  title: 'Close without saving?',
  text: 'What you entered is lost.',
  action: 'Discard',
  cancel: 'Keep editing',
  danger: true,
}

/** Open dialogs, the topmost last. */
const stack: object[] = []

const CLICKS = ['mousedown', 'click'] as const

let lastFocused: HTMLElement | null = null
document.addEventListener('focusin', (event) => {
  if (event.target instanceof HTMLElement) lastFocused = event.target
})

/**
 * A dialog. Escape closes only the topmost one, and the focus returns to where it was. A `guarded` dialog is closed by its
 * own buttons only. A dialog with `unsaved` text asks before it closes.
 */
export function Modal({ guarded = false, unsaved = false, ...props }: Props) {
  const close = async () => {
    if (!unsaved || (await ask(UNSAVED))) props.onClose()
  }
  return (
    <>
      <MantineModal
        closeButtonProps={{ 'aria-label': 'Close' }}
        {...props}
        onClose={close}
        closeOnEscape={false}
        {...(guarded ? { closeOnClickOutside: false, withCloseButton: false } : {})}
      />
      {props.opened && <Opened onEscape={guarded ? undefined : close} />}
    </>
  )
}

function Opened({ onEscape }: { onEscape?: () => void }) {
  const [opener] = useState(() => lastFocused)
  const close = useRef(onEscape)
  close.current = onEscape
  useEffect(() => {
    const self = {}
    stack.push(self)
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || stack.at(-1) !== self) return
      // An open list in the dialog handles the key itself.
      const target = event.target instanceof Element ? event.target : null
      if (target?.getAttribute('data-mantine-stop-propagation') === 'true') return
      // What is below the dialog stays open.
      event.stopPropagation()
      close.current?.()
    }
    // The second half of the double click that opened the dialog neither closes it nor takes the focus from it.
    let wasClicked = false
    const ignoreRest = (event: MouseEvent) => {
      if (event.detail <= 1) wasClicked = true
      if (wasClicked) return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', listen, { capture: true })
    for (const kind of CLICKS) window.addEventListener(kind, ignoreRest, { capture: true })
    return () => {
      window.removeEventListener('keydown', listen, { capture: true })
      for (const kind of CLICKS) window.removeEventListener(kind, ignoreRest, { capture: true })
      stack.splice(stack.indexOf(self), 1)
      returnFocus(opener)
    }
  }, [opener])
  return null
}

/** What got the focus because the opener of a dialog was gone. Another dialog's opener may take it from there. */
let substitute: Element | null = null

/** Focuses the element unless something else has the focus by then. Waits for a busy button. */
function returnFocus(opener: HTMLElement | null) {
  const until = Date.now() + 10_000
  const attempt = () => {
    const { activeElement: active } = document
    if (active && active !== document.body && active !== substitute) return
    if (opener?.isConnected && opener !== document.body) {
      opener.focus({ preventScroll: true })
      if (document.activeElement !== opener && Date.now() < until) window.setTimeout(attempt, 50)
    } else {
      focusOn(null)
      substitute = document.activeElement
    }
  }
  window.setTimeout(attempt, 30)
}

/** Focuses an element that is not focusable by itself: this one, or else the topmost dialog or the page. */
export function focusOn(element: HTMLElement | null) {
  const target =
    element ?? [...document.querySelectorAll<HTMLElement>('[role=dialog]')].at(-1) ?? document.getElementById('main')
  if (!target) return
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1
  target.style.outline = 'none'
  target.focus({ preventScroll: true })
}
