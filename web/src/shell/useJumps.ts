import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isTaken } from './useKeys'

/** `g` followed by a letter opens a page. */
export function useJumps(places: { to: string; key?: string }[]) {
  const navigate = useNavigate()
  useEffect(() => {
    let armed = 0
    const listen = (event: KeyboardEvent) => {
      if (isTaken(event)) return
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'g') {
        armed = Date.now()
        return
      }
      if (Date.now() - armed > 1200) return
      armed = 0
      const place = places.find((one) => one.key === event.key)
      if (place) {
        event.preventDefault()
        event.stopPropagation()
        navigate({ to: place.to })
      }
    }
    window.addEventListener('keydown', listen, true)
    return () => window.removeEventListener('keydown', listen, true)
  }, [navigate, places])
}
