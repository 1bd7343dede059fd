import { createSpotlight } from '@mantine/spotlight'

/** The state of the command palette, and what opens it. */
export const [spotlight, palette] = createSpotlight()

export const openPalette = palette.open
