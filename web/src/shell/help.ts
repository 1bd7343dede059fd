import { loadCode } from './loadCode'

/** Opens the list of all keys. */
export const help = async () => (await loadCode(() => import('./Shortcuts'))).showShortcuts()
