import { type CSSVariablesResolver, createTheme } from '@mantine/core'

export const theme = createTheme({
  colors: {
    petrol: [
      '#eef7f8',
      '#e0f0f2',
      '#bfe0e5',
      '#8fc8d1',
      '#5aabb9',
      '#2f8ea0',
      '#197a8e',
      '#0a6072',
      '#084a58',
      '#06363f',
    ],
  },
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 6 },
  fontFamily: 'var(--r-font)',
  fontFamilyMonospace: 'var(--r-mono)',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.5', sm: '1.54', md: '1.5' },
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '0.9375rem', lineHeight: '1.46' },
      h2: { fontSize: '0.875rem', lineHeight: '1.5' },
      h3: { fontSize: '0.8125rem', lineHeight: '1.54' },
    },
  },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '12px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  components: {
    Text: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', checkIconPosition: 'right' } },
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true } },
    Modal: { defaultProps: { centered: false, yOffset: '8vh', size: 480, radius: 'xl' } },
    Menu: { defaultProps: { shadow: 'md', position: 'bottom-end', withinPortal: true, radius: 'md' } },
    Popover: { defaultProps: { shadow: 'md', radius: 'md' } },
  },
})

/** The library’s names for the colours of tokens.css. */
const NAMES = {
  '--mantine-color-body': 'var(--r-sheet)',
  '--mantine-color-text': 'var(--r-ink)',
  '--mantine-color-dimmed': 'var(--r-ink-3)',
  '--mantine-color-placeholder': 'var(--r-ink-3)',
  '--mantine-color-anchor': 'var(--r-accent)',
  '--mantine-color-error': 'var(--r-danger)',
  '--mantine-color-default': 'var(--r-sheet)',
  '--mantine-color-default-color': 'var(--r-ink)',
  '--mantine-color-default-hover': 'var(--r-hover)',
  '--mantine-color-default-border': 'var(--r-line-2)',
  '--mantine-color-gray-text': 'var(--r-ink-2)',
  '--mantine-color-gray-light-color': 'var(--r-ink-2)',
  '--mantine-color-gray-light-hover': 'var(--r-hover)',
  '--mantine-color-red-text': 'var(--r-danger)',
  '--mantine-color-red-outline': 'var(--r-danger)',
  '--mantine-color-red-filled': 'var(--r-danger-fill)',
  '--mantine-color-red-filled-hover': 'var(--r-danger-fill)',
  '--mantine-color-petrol-filled': 'var(--r-go)',
  '--mantine-color-petrol-filled-hover': 'var(--r-go-2)',
  '--mantine-color-petrol-light': 'var(--r-accent-soft)',
  '--mantine-color-petrol-light-hover': 'var(--r-accent-soft)',
  '--mantine-color-petrol-light-color': 'var(--r-accent)',
  '--mantine-shadow-md': 'var(--r-sh-3)',
  '--mantine-shadow-xl': 'var(--r-sh-3)',
}

export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: NAMES,
  dark: NAMES,
})
