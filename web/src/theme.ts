import { type CSSVariablesResolver, createTheme } from '@mantine/core'

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.125rem' }, h2: { fontSize: '1rem' }, h3: { fontSize: '0.875rem' } },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  components: {
    Text: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', checkIconPosition: 'right' } },
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true } },
    Modal: { defaultProps: { centered: false, yOffset: '8vh' } },
    Menu: { defaultProps: { shadow: 'md', position: 'bottom-end', withinPortal: true } },
    Popover: { defaultProps: { shadow: 'md' } },
  },
})

/** The library's muted colours have too little contrast for WCAG AA. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5a6169',
    '--mantine-color-placeholder': '#666d75',
    '--mantine-color-anchor': '#364fc7',
    '--mantine-color-error': '#c92a2a',
    '--r-line': '#e6e8eb',
    '--r-soft': '#f6f7f9',
    '--r-hover': '#f1f3f6',
    '--r-selected': '#e8edff',
    '--r-accent': '#364fc7',
  },
  dark: {
    '--mantine-color-dimmed': '#a6adb6',
    '--mantine-color-placeholder': '#979ea7',
    '--mantine-color-anchor': '#a5b8ff',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-body': '#17181b',
    '--r-line': '#2c2f34',
    '--r-soft': '#1d1f23',
    '--r-hover': '#24272c',
    '--r-selected': '#252d4a',
    '--r-accent': '#a5b8ff',
  },
})
