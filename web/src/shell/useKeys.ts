import { useHotkeys } from '@mantine/hooks'

/** Inputs that take no letters. After a click on a tab or a checkbox, letters are keys of the screen. */
const WITHOUT_TEXT = ['radio', 'checkbox', 'button', 'submit', 'reset', 'file', 'range', 'color']

/** What handles its keys itself: texts, and whatever is open above the screen. */
const OWN_KEYS = 'textarea, select, [role=dialog], [role=menu], [role=listbox]'

/** Whether a key is not meant for the screen. */
export function isTaken({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement && !WITHOUT_TEXT.includes(target.type)) return true
  return target.isContentEditable || target.closest(OWN_KEYS) !== null
}

/** Keys of a screen. */
export const useKeys = (keys: [key: string, run: () => void][]) =>
  useHotkeys(
    keys.map(([key, run]) => [
      key,
      (event) => {
        if (isTaken(event)) return
        event.preventDefault()
        run()
      },
      { preventDefault: false },
    ]),
    [],
  )
