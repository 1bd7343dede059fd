import { Modal as MantineModal, type ModalProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

type Props = ModalProps & { guarded?: boolean; unsaved?: boolean }

/** Open dialogs, the topmost last. */
const stack: object[] = []

let lastFocused: HTMLElement | null = null
document.addEventListener('focusin', (event) => {
  if (event.target instanceof HTMLElement) lastFocused = event.target
})

/**
 * A dialog. Escape closes only the topmost one, and the focus returns to where it was. A `guarded` dialog is closed by its
 * own buttons only. A dialog with `unsaved` text asks before it closes.
 */
export function Modal({ guarded = false, unsaved = false, ...props }: Props) {
  const close = () => {
    if (!unsaved || window.confirm('Close without saving? What you entered is lost.')) props.onClose()
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
      if (target?.getAttribute('data-mantine-stop-propagation') !== 'true') close.current?.()
    }
    window.addEventListener('keydown', listen, { capture: true })
    return () => {
      window.removeEventListener('keydown', listen, { capture: true })
      stack.splice(stack.indexOf(self), 1)
      returnFocus(opener)
    }
  }, [opener])
  return null
}

/** Focuses the element unless something else has the focus by then. Waits for a busy button. */
function returnFocus(opener: HTMLElement | null) {
  const until = Date.now() + 10_000
  const attempt = () => {
    if (document.activeElement && document.activeElement !== document.body) return
    if (opener?.isConnected && opener !== document.body) {
      opener.focus({ preventScroll: true })
      if (document.activeElement !== opener && Date.now() < until) window.setTimeout(attempt, 50)
    } else {
      focusOn(null)
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
